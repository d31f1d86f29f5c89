# frozen_string_literal: true

module Bookloan
  module Catalog
    # A work, of which the library may own several copies.
    Title = Struct.new(:id, :name, :author, :year, :isbn, :kind, :rating, :price, keyword_init: true) do
      ARTICLES = /\A(the|a|an|der|die|das|le|la|les|el)\s+/i

      # What two records must share to be taken for the same work.
      def match_key
        return "isbn:#{isbn}" if isbn

        [squash(author), squash(name.to_s.sub(ARTICLES, "")), year].join("/")
      end

      # Fills gaps from another record; never overwrites what a person may have corrected.
      def absorb(other)
        members.each do |member|
          next if member == :id

          self[member] = other[member] if self[member].nil? || self[member] == ""
        end
        self
      end

      private

      def squash(text)
        text.to_s.unicode_normalize(:nfd).gsub(/\p{Mn}/, "").downcase.gsub(/[^a-z0-9]+/, "")
      end
    end

    # One physical thing with a barcode on it.
    Copy = Struct.new(:barcode, :title, :branch, :state, keyword_init: true) do
      def lendable?
        state == :shelf || state == :reserved
      end
    end
  end
end
