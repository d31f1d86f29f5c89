# frozen_string_literal: true

module Bookloan
  module Circulation
    # The scale that was in force until the end of 2019: by week begun, not by day, and without a
    # cap. Loans from that time are still settled by it.
    class Fines2019
      STEPS = { 1 => 1.0, 2 => 2.5, 3 => 5.0, 4 => 10.0 }.freeze
      EVERY_FURTHER_WEEK = 5.0

      def self.applies_to?(loan)
        loan.lent_on.year <= 2019
      end

      def for(loan, today)
        return 0.0 unless today > loan.due_on

        weeks = ((today - loan.due_on) / 7.0).ceil
        return STEPS[weeks] if STEPS.key?(weeks)

        STEPS[4] + (weeks - 4) * EVERY_FURTHER_WEEK
      end
    end
  end
end
