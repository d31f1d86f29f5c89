# frozen_string_literal: true

require "bigdecimal"
require "bigdecimal/util"

module Bookloan
  Rules = Struct.new(
    :loan_days, :most_renewals, :most_loans, :debt_limit, :pickup_days, :lost_after_days,
    :handling_fee, :fines, :closed, :smtp, keyword_init: true
  ) do
    def self.load(path)
      raw = YAML.safe_load_file(path)
      unknown = raw.keys - members.map(&:to_s)
      raise Error, "#{path}: unknown rule #{unknown.first}" if unknown.any?

      new(**raw.transform_keys(&:to_sym))
    end

    def daily_fine(kind)
      fines.fetch(kind.to_s) { fines.fetch("book") }.to_d
    end
  end
end
