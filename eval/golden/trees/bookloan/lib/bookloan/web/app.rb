# frozen_string_literal: true

require "json"
require "rack"

module Bookloan
  module Web
    # The page readers see, and the few things they may do on it.
    class App
      ROUTES = [
        ["GET", %r{\A/search\z}, :search],
        ["POST", %r{\A/holds/(\d+)\z}, :place_hold],
        ["POST", %r{\A/renewals/(\w+)\z}, :renew],
        ["GET", %r{\A/me\z}, :account]
      ].freeze

      def initialize(search:, desk:, holds:, readers:, copies:)
        @search = search
        @desk = desk
        @holds = holds
        @readers = readers
        @copies = copies
      end

      def call(env)
        request = Rack::Request.new(env)
        ROUTES.each do |verb, pattern, action|
          next unless request.request_method == verb && (match = pattern.match(request.path_info))

          return send(action, request, *match.captures)
        end
        json(404, error: "no such page")
      rescue Refused => e
        json(409, error: e.message)
      end

      private

      def search(request)
        titles = @search.find(request.params["q"].to_s)
        json(200, titles: titles.map { |title| { id: title.id, name: title.name, author: title.author } })
      end

      def place_hold(request, id)
        title = @copies.map(&:title).find { |candidate| candidate.id == id.to_i }
        return json(404, error: "no such title") unless title

        json(201, position: @holds.place(title, reader(request)))
      end

      def renew(request, barcode)
        copy = @copies.find { |candidate| candidate.barcode == barcode }
        loan = @desk.renew(copy)
        raise Refused, "this is not yours" unless loan.reader == reader(request)

        json(200, due_on: loan.due_on.iso8601)
      end

      def account(request)
        person = reader(request)
        loans = @desk.loans.select { |loan| loan.reader == person && loan.returned_on.nil? }
        json(200, debt: person.debt.to_s("F"), loans: loans.map { |loan| loan.copy.title.name })
      end

      def reader(request)
        @readers.fetch(request.session["card"]) { raise Refused, "please sign in" }
      end

      def json(status, **body)
        [status, { "content-type" => "application/json" }, [JSON.generate(body)]]
      end
    end
  end
end
