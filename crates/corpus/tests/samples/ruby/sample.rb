# frozen_string_literal: true

require "json"
require_relative "shelf/book"
autoload :Printer, "shelf/printer"

$verbose = false

# Everything about a lending library.
module Library
  # The most books one reader may hold.
  LIMIT = 5
  Point = Struct.new(:x, :y) do
    # Adds two points.
    def +(other) = Point.new(x + other.x, y + other.y)
  end

  # Raised when nothing is left.
  class Shelf::Empty < Library::Error; end

  # A shelf of books.
  class Shelf < Storage # :nodoc:
    include Enumerable

    # Where it stands.
    attr_reader :room
    attr_accessor :title, :owner
    belongs_to :branch, optional: true
    @@count = 0
    @registry = {}

    # Makes one.
    # @param room [Room]
    sig { params(room: Room).void }
    def initialize(room, *rest, key: nil, **options, &block)
      # Comments do not belong to the signature.
      @room = room
      local = URI.parse(options[:url])
    end

    def self.open(name) # opens it
      new(Room.new(name))
    end

    class << self
      # Looks a shelf up.
      def [](name)
        @registry.fetch(name) { raise Missing, name }
      end
    end

    # Sets the label.
    def label=(text)
      @label = Library::Text::Label.new(text).to_s
    rescue ArgumentError, JSON::ParserError => e
      warn(e.message)
    end

    alias size count
    alias_method :length, :size
    define_method(:empty?) { size.zero? }

    private def each(&block)
      case @books
      when Array then @books.each(&block)
      in Hash[title:] then yield title
      end
    end
  end
end

# Greets the reader.
def greet(name = "you")
  puts <<~TEXT, name
    Hello # no comment
  TEXT
end
Library::Missing = Class.new(StandardError)
def Library.close; end

RSpec.describe Library::Shelf do
  context "when empty" do
    it("has no books") { expect(Library::Shelf.open("a")).to be_empty }
    it "knows #{LIMIT} books" do helper end
  end
end

task build: [:clean] do
  sh "make"
end
