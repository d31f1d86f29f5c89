# frozen_string_literal: true

module Bookloan
  module Catalog
    # The number on the back of a book, in its thirteen-digit form.
    class Isbn
      attr_reader :digits

      def self.parse(text)
        cleaned = text.to_s.upcase.gsub(/[^0-9X]/, "")
        case cleaned.length
        when 10 then from_ten(cleaned)
        when 13 then valid13?(cleaned) ? new(cleaned) : nil
        end
      end

      def self.from_ten(text)
        sum = text.chars.each_with_index.sum do |char, index|
          (char == "X" ? 10 : char.to_i) * (10 - index)
        end
        return nil unless (sum % 11).zero?

        body = "978#{text[0, 9]}"
        new(body + check_digit(body))
      end

      def self.valid13?(text)
        text.match?(/\A\d{13}\z/) && check_digit(text[0, 12]) == text[12]
      end

      def self.check_digit(body)
        sum = body.chars.each_with_index.sum { |char, index| char.to_i * (index.even? ? 1 : 3) }
        ((10 - sum % 10) % 10).to_s
      end

      private_class_method :from_ten, :valid13?, :check_digit

      def initialize(digits)
        @digits = digits
      end

      def ==(other)
        other.is_a?(Isbn) && digits == other.digits
      end
      alias eql? ==

      def hash
        digits.hash
      end

      def to_s
        digits
      end
    end
  end
end
