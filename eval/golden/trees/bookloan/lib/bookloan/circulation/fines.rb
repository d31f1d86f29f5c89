# frozen_string_literal: true

require "bigdecimal"

module Bookloan
  module Circulation
    # What it costs to be late.
    class Fines
      UNKNOWN_PRICE = BigDecimal("10")

      def initialize(rules, calendar)
        @rules = rules
        @calendar = calendar
      end

      def for(loan, today)
        return BigDecimal("0") if today <= loan.due_on

        days = @calendar.open_days(loan.due_on, today)
        accrued = days * @rules.daily_fine(loan.copy.title.kind)
        [accrued, replacement(loan.copy.title)].min
      end

      def replacement(title)
        title.price || UNKNOWN_PRICE
      end
    end
  end
end
