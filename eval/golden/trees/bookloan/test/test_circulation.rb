# frozen_string_literal: true

require_relative "helper"

class TestCirculation < Minitest::Test
  include Fixtures

  def test_a_loan_that_would_end_on_sunday_ends_on_monday
    @day = Date.new(2024, 3, 3)
    assert_equal Date.new(2024, 3, 25), @desk.check_out(@copy, reader("1")).due_on
  end

  def test_fine_counts_open_days_only
    loan = @desk.check_out(@copy, reader("1"))
    @day = loan.due_on + 7
    assert_equal BigDecimal("1.2"), @desk.check_in(@copy)[:charge]
  end

  def test_fine_is_never_more_than_the_price
    loan = @desk.check_out(@copy, reader("1"))
    @day = loan.due_on + 400
    assert_equal BigDecimal("12"), @desk.check_in(@copy)[:charge]
  end

  def test_fine_is_zero_on_the_due_date
    loan = @desk.check_out(@copy, reader("1"))
    @day = loan.due_on
    assert_equal BigDecimal("0"), @desk.check_in(@copy)[:charge]
  end

  def test_debtors_are_refused
    error = assert_raises(Bookloan::Refused) { @desk.check_out(@copy, reader("1").tap { |r| r.debt = 21.to_d }) }
    assert_equal "21.00 are owed, the limit is 20.00", error.message
  end

  def test_children_do_not_get_films_for_adults
    @title.rating = 18
    assert_raises(Bookloan::Refused) { @desk.check_out(@copy, reader("1", child: true)) }
  end

  def test_renewal_is_refused_while_somebody_waits
    @desk.check_out(@copy, reader("1"))
    @holds.place(@title, reader("2"))
    assert_raises(Bookloan::Refused) { @desk.renew(@copy) }
  end

  def test_lost_items_are_charged_once
    person = reader("1")
    loan = @desk.check_out(@copy, person)
    @day = loan.due_on + 43
    2.times { @desk.write_off_lost }
    assert_equal BigDecimal("18.5"), person.debt
  end
end
