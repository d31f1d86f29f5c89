# frozen_string_literal: true

require_relative "helper"

class TestHolds < Minitest::Test
  include Fixtures

  def test_the_first_in_the_queue_is_told
    @desk.check_out(@copy, reader("1"))
    @holds.place(@title, reader("2"))
    @holds.place(@title, reader("3"))
    assert_equal "2", @desk.check_in(@copy)[:next_reader].card
    assert_equal [[:ready, "2"]], @mailer.sent
    assert_equal :reserved, @copy.state
  end

  def test_on_the_same_day_the_own_branch_comes_first_in_the_queue
    @desk.check_out(@copy, reader("1"))
    @holds.place(@title, reader("2", branch: "south"))
    @holds.place(@title, reader("3", branch: "north"))
    assert_equal "3", @desk.check_in(@copy)[:next_reader].card
  end

  def test_what_is_not_fetched_goes_to_the_next_in_the_queue
    @desk.check_out(@copy, reader("1"))
    @holds.place(@title, reader("2"))
    @day += 1
    @holds.place(@title, reader("3"))
    @desk.check_in(@copy)
    @day += 8
    @holds.expire
    assert_equal "3", @holds.reserved_for(@copy).card
  end

  def test_three_lapses_bar_a_reader
    person = reader("2", lapses: 2)
    @desk.check_out(@copy, reader("1"))
    @holds.place(@title, person)
    @desk.check_in(@copy)
    @day += 8
    @holds.expire
    assert_raises(Bookloan::Refused) { @holds.place(@title, person) }
  end

  def test_a_reserved_copy_is_not_given_to_others
    @desk.check_out(@copy, reader("1"))
    @holds.place(@title, reader("2"))
    @desk.check_in(@copy)
    error = assert_raises(Bookloan::Refused) { @desk.check_out(@copy, reader("9")) }
    assert_match(/kept for somebody else/, error.message)
  end
end
