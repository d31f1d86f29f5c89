# frozen_string_literal: true

module Bookloan
  module Import
    # Reads the exchange format of libraries: a leader, a directory, then fields.
    class Marc
      class Malformed < Error; end

      FIELD_END = "\x1e"
      RECORD_END = "\x1d"
      SUBFIELD = "\x1f"

      def initialize(io, rejected: nil)
        @io = io
        @rejected = rejected
      end

      def each_title
        number = 0
        while (raw = @io.gets(RECORD_END))
          number += 1
          begin
            yield to_title(fields(raw))
          rescue Malformed => e
            @rejected&.puts "record #{number}: #{e.message}"
          end
        end
      end

      private

      def fields(raw)
        raise Malformed, "shorter than its leader" if raw.bytesize < 24

        base = Integer(raw.byteslice(12, 5), 10, exception: false) or raise Malformed, "no base address"
        directory = raw.byteslice(24, base - 25).to_s
        raise Malformed, "directory of #{directory.bytesize} bytes is not a multiple of 12" unless (directory.bytesize % 12).zero?

        directory.scan(/.{12}/m).to_h do |entry|
          tag, length, start = entry[0, 3], entry[3, 4].to_i, entry[7, 5].to_i
          [tag, raw.byteslice(base + start, length).to_s.delete(FIELD_END).force_encoding("UTF-8")]
        end
      end

      def to_title(fields)
        name = subfield(fields["245"], "a") or raise Malformed, "no title (245 $a)"
        Catalog::Title.new(
          name: name.sub(%r{\s*[/:]\s*\z}, ""),
          author: subfield(fields["100"], "a")&.delete_suffix(","),
          year: subfield(fields["260"], "c").to_s[/\d{4}/]&.to_i,
          isbn: Catalog::Isbn.parse(subfield(fields["020"], "a")),
          kind: :book
        )
      end

      def subfield(field, code)
        field.to_s.split(SUBFIELD).drop(1).find { |part| part.start_with?(code) }&.slice(1..)
      end
    end
  end
end
