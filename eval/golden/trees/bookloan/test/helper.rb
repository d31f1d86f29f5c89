# frozen_string_literal: true

$LOAD_PATH.unshift File.expand_path("../lib", __dir__)
require "minitest/autorun"
require "bookloan"

class SilentMailer
  attr_reader :sent

  def initialize
    @sent = []
  end

  def deliver(text, reader, **)
    @sent << [text, reader.card]
  end
end

module Fixtures
  include Bookloan

  def setup
    @day = Date.new(2024, 3, 4)
    clock = -> { @day }
    @mailer = SilentMailer.new
    calendar = Calendar.new(Bookloan.rules.closed)
    @holds = Circulation::Holds.new(rules: Bookloan.rules, mailer: @mailer, today: clock)
    fines = Circulation::Fines.new(Bookloan.rules, calendar)
    @desk = Circulation::Desk.new(rules: Bookloan.rules, holds: @holds, fines:, calendar:, today: clock)
    @title = Catalog::Title.new(id: 1, name: "The Dunes", author: "R. Sand", kind: :book, price: 12.to_d)
    @copy = Catalog::Copy.new(barcode: "B1", title: @title, branch: "north", state: :shelf)
  end

  def reader(card, branch: "north", **more)
    Circulation::Reader.new(card:, branch:, valid_until: Date.new(2030, 1, 1), debt: 0.to_d, **more)
  end
end
