# frozen_string_literal: true

module Bookloan
  module Circulation
    # Who is waiting for what.
    class Holds
      Hold = Struct.new(:title, :reader, :placed_on, :offered_on, :copy, keyword_init: true)

      MOST_LAPSES = 3
      BARRED_DAYS = 30

      def initialize(rules:, mailer:, today: -> { Date.today })
        @rules = rules
        @mailer = mailer
        @today = today
        @queue = []
      end

      def place(title, reader)
        today = @today.call
        if reader.barred_until && reader.barred_until > today
          raise Refused, "no requests until #{reader.barred_until}: too many were not picked up"
        end
        raise Refused, "already on the list" if @queue.any? { |hold| hold.title == title && hold.reader == reader }

        @queue << Hold.new(title:, reader:, placed_on: today)
        position(title, reader)
      end

      def position(title, reader)
        line(title).index { |hold| hold.reader == reader }&.succ
      end

      def waiting?(title)
        @queue.any? { |hold| hold.title == title && hold.offered_on.nil? }
      end

      # Gives a returned copy to the next in line, and tells them.
      def offer(copy)
        hold = line(copy.title, branch: copy.branch).find { |candidate| candidate.offered_on.nil? }
        return nil unless hold

        hold.offered_on = @today.call
        hold.copy = copy
        @mailer.deliver(:ready, hold.reader, title: copy.title.name, until: hold.offered_on + @rules.pickup_days)
        hold.reader
      end

      def reserved_for(copy)
        @queue.find { |hold| hold.copy == copy }&.reader
      end

      def fulfil(copy, reader)
        hold = @queue.find { |candidate| candidate.title == copy.title && candidate.reader == reader }
        return unless hold

        @queue.delete(hold)
        reader.lapses = 0
      end

      # Run every night: what nobody fetched goes to the next person.
      def expire
        today = @today.call
        stale = @queue.select { |hold| hold.offered_on && hold.offered_on + @rules.pickup_days < today }
        stale.each do |hold|
          @queue.delete(hold)
          count_lapse(hold.reader, today)
          hold.copy.state = offer(hold.copy) ? :reserved : :shelf
        end
      end

      private

      # Order of arrival; on the same day the branch that has the copy goes first.
      def line(title, branch: nil)
        waiting = @queue.select { |hold| hold.title == title }
        waiting.each_with_index.sort_by do |hold, index|
          [hold.placed_on, hold.reader.branch == branch ? 0 : 1, index]
        end.map(&:first)
      end

      def count_lapse(reader, today)
        reader.lapses = reader.lapses.to_i + 1
        reader.barred_until = today + BARRED_DAYS if reader.lapses >= MOST_LAPSES
      end
    end
  end
end
