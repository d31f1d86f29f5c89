# frozen_string_literal: true

require "yaml"

# Lending for small libraries.
module Bookloan
  autoload :Calendar, "bookloan/calendar"
  autoload :Mailer, "bookloan/mailer"
  autoload :Rules, "bookloan/rules"
  autoload :Retention, "bookloan/retention"

  class Error < StandardError; end

  # Something the person at the desk has to tell the reader.
  class Refused < Error; end

  def self.rules
    @rules ||= Rules.load(File.expand_path("../config/rules.yml", __dir__))
  end
end

require "bookloan/catalog/isbn"
require "bookloan/catalog/title"
require "bookloan/catalog/search"
require "bookloan/circulation/desk"
require "bookloan/circulation/fines"
require "bookloan/circulation/holds"
