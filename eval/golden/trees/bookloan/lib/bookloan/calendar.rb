# frozen_string_literal: true

require "date"

module Bookloan
  # Knows on which days somebody is there to take books.
  class Calendar
    def initialize(closed)
      @weekdays = closed.fetch("weekdays", [])
      @dates = closed.fetch("dates", [])
    end

    def open?(day)
      !@weekdays.include?(day.wday) && !@dates.include?(day.strftime("%m-%d"))
    end

    def next_open(day)
      day += 1 until open?(day)
      day
    end

    def open_days(from, to)
      (from...to).count { |day| open?(day + 1) }
    end
  end
end
