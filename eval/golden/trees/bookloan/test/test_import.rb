# frozen_string_literal: true

require_relative "helper"
require "bookloan/import/merge"

class TestImport < Minitest::Test
  include Bookloan

  def title(**fields)
    Catalog::Title.new(name: "The Dunes", author: "Sand, Robin", year: 1999, **fields)
  end

  def test_old_and_new_isbn_are_the_same
    assert_equal Catalog::Isbn.parse("0-306-40615-2"), Catalog::Isbn.parse("978-0-306-40615-7")
  end

  def test_a_wrong_check_digit_gives_no_isbn
    assert_nil Catalog::Isbn.parse("978-0-306-40615-8")
  end

  def test_articles_and_accents_do_not_make_a_new_title
    merge = Import::Merge.new([title(id: 7)])
    report = merge.run([title.tap { |t| t.name = "dunes" }, title.tap { |t| t.author = "SAND, ROBÍN" }])
    assert_equal [0, 0, 2], report.to_a
  end

  def test_corrections_by_hand_survive
    merge = Import::Merge.new([title(id: 7, kind: :film)])
    merge.run([title(kind: :book, price: 3)])
    assert_equal [:film, 3], [merge.titles.first.kind, merge.titles.first.price]
  end
end
