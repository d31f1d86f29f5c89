# frozen_string_literal: true

module Bookloan
  # Forgets who read what.
  class Retention
    KEEP_DAYS = 14

    Anonymous = Struct.new(:age_group, :branch)

    def initialize(desk, today: -> { Date.today })
      @desk = desk
      @today = today
    end

    def sever
      limit = @today.call - KEEP_DAYS
      @desk.loans.each do |loan|
        next unless loan.returned_on && loan.returned_on < limit
        next if loan.reader.is_a?(Anonymous)

        loan.reader = Anonymous.new(loan.reader.child ? "child" : "adult", loan.reader.branch)
      end
    end

    # Only who owes nothing and has nothing may go.
    def erase(reader)
      raise Refused, "#{reader.card} still owes #{reader.debt}" if reader.debt.positive?
      raise Refused, "#{reader.card} still has items" if @desk.loans.any? { |l| l.reader == reader && !l.returned_on }

      reader.name = reader.email = nil
      reader.card = "erased"
    end
  end
end
