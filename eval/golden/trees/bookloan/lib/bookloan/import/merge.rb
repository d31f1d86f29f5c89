# frozen_string_literal: true

module Bookloan
  module Import
    # Puts a delivery into the catalogue without making duplicates.
    class Merge
      Report = Struct.new(:added, :updated, :unchanged)

      def initialize(existing)
        @by_key = existing.to_h { |title| [title.match_key, title] }
        @next_id = existing.map(&:id).max.to_i
      end

      def run(incoming)
        report = Report.new(0, 0, 0)
        incoming.each do |title|
          known = @by_key[title.match_key]
          if known.nil?
            title.id = (@next_id += 1)
            @by_key[title.match_key] = title
            report.added += 1
          else
            before = known.dup
            known.absorb(title)
            known == before ? report.unchanged += 1 : report.updated += 1
          end
        end
        report
      end

      def titles
        @by_key.values
      end
    end
  end
end
