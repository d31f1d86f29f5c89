# frozen_string_literal: true

module Bookloan
  module Circulation
    Reader = Struct.new(
      :card, :name, :email, :branch, :child, :valid_until, :debt, :lapses, :barred_until,
      keyword_init: true
    )

    Loan = Struct.new(:copy, :reader, :lent_on, :due_on, :renewals, :returned_on, keyword_init: true) do
      def overdue?(today)
        returned_on.nil? && today > due_on
      end
    end

    # Everything that happens over the counter.
    class Desk
      attr_reader :loans

      def initialize(rules:, holds:, fines:, calendar:, today: -> { Date.today })
        @rules = rules
        @holds = holds
        @fines = fines
        @calendar = calendar
        @today = today
        @loans = []
      end

      def check_out(copy, reader)
        refuse_unless_welcome(reader, copy)
        refuse_unless_available(copy, reader)
        copy.state = :out
        @holds.fulfil(copy, reader)
        loan = Loan.new(copy:, reader:, lent_on: today, due_on: due_date, renewals: 0)
        @loans << loan
        loan
      end

      def check_in(copy)
        loan = open_loan(copy) or raise Refused, "#{copy.barcode} is not out"
        loan.returned_on = today
        charge = @fines.for(loan, today)
        loan.reader.debt += charge
        next_reader = @holds.offer(copy)
        copy.state = next_reader ? :reserved : :shelf
        { charge:, next_reader: }
      end

      def renew(copy)
        loan = open_loan(copy) or raise Refused, "#{copy.barcode} is not out"
        raise Refused, "already renewed #{loan.renewals} times" if loan.renewals >= @rules.most_renewals
        raise Refused, "somebody is waiting for this title" if @holds.waiting?(copy.title)
        raise Refused, "overdue items cannot be renewed" if loan.overdue?(today)

        loan.renewals += 1
        loan.due_on = due_date
        loan
      end

      # Run every night.
      def write_off_lost
        limit = today - @rules.lost_after_days
        @loans.select { |loan| loan.returned_on.nil? && loan.due_on < limit }.each do |loan|
          next if loan.copy.state == :lost

          loan.copy.state = :lost
          loan.reader.debt += @fines.replacement(loan.copy.title) + @rules.handling_fee.to_d
        end
      end

      private

      def today
        @today.call
      end

      def due_date
        @calendar.next_open(today + @rules.loan_days)
      end

      def open_loan(copy)
        @loans.find { |loan| loan.copy == copy && loan.returned_on.nil? }
      end

      def refuse_unless_welcome(reader, copy)
        raise Refused, "card #{reader.card} expired on #{reader.valid_until}" if reader.valid_until < today
        raise Refused, format("%.2f are owed, the limit is %.2f", reader.debt, @rules.debt_limit) if reader.debt > @rules.debt_limit
        raise Refused, "#{copy.title.name} is rated #{copy.title.rating}" if reader.child && copy.title.rating.to_i >= 16

        out = @loans.count { |loan| loan.reader == reader && loan.returned_on.nil? }
        raise Refused, "#{out} items are out already" if out >= @rules.most_loans
      end

      def refuse_unless_available(copy, reader)
        raise Refused, "#{copy.barcode} is not on the shelf" unless copy.lendable?

        owner = @holds.reserved_for(copy)
        raise Refused, "#{copy.barcode} is kept for somebody else" if owner && owner != reader
      end
    end
  end
end
