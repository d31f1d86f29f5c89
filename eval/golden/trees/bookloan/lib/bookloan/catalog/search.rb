# frozen_string_literal: true

module Bookloan
  module Catalog
    # Finds titles by words. Good enough for forty thousand of them.
    class Search
      def initialize
        @postings = Hash.new { |hash, word| hash[word] = {} }
        @titles = {}
      end

      def add(title)
        @titles[title.id] = title
        weigh(title.name, 3, title.id)
        weigh(title.author, 2, title.id)
        weigh(title.isbn.to_s, 5, title.id)
      end

      def find(text, limit: 20)
        scores = Hash.new(0.0)
        words(text).each do |word|
          matches = postings_for(word)
          next if matches.empty?

          rarity = Math.log(1 + @titles.size.to_f / matches.size)
          matches.each { |id, weight| scores[id] += weight * rarity }
        end
        scores.sort_by { |id, score| [-score, id] }.first(limit).map { |id, _| @titles[id] }
      end

      private

      def weigh(text, weight, id)
        words(text).each { |word| @postings[word][id] = [@postings[word][id].to_f, weight].max }
      end

      # Falls back to beginnings of words, for people who type while they look at the screen.
      def postings_for(word)
        return @postings[word] if @postings.key?(word)
        return {} if word.length < 3

        @postings.each_with_object({}) do |(known, ids), found|
          found.merge!(ids) { |_, a, b| [a, b].max } if known.start_with?(word)
        end
      end

      def words(text)
        text.to_s.unicode_normalize(:nfd).gsub(/\p{Mn}/, "").downcase.scan(/[a-z0-9]+/)
      end
    end
  end
end
