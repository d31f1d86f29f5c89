-- Everything a lending library needs.
CREATE SCHEMA IF NOT EXISTS library;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TYPE condition AS ENUM ('new', 'worn', 'lost');
CREATE TYPE shelf_mark AS (room int, shelf text);
CREATE SEQUENCE card_numbers START 1000;

/* One row for each copy,
   not for each title. */
CREATE TABLE IF NOT EXISTS library.copies (
  id BIGINT PRIMARY KEY,
  -- As printed on the back.
  isbn TEXT NOT NULL,
  "bought on" DATE,
  reader_id INT REFERENCES readers (id),
  FOREIGN KEY (isbn) REFERENCES titles (isbn)
);

ALTER TABLE library.copies ADD COLUMN damaged BOOLEAN DEFAULT false;

-- Copies that are out.
CREATE OR REPLACE VIEW lent AS
  SELECT c.id, upper(c.isbn) FROM library.copies c WHERE c.reader_id IS NOT NULL;

CREATE MATERIALIZED VIEW popular AS SELECT isbn, count(id) FROM loans GROUP BY isbn;
CREATE TABLE archive AS SELECT * FROM loans;
CREATE UNIQUE INDEX copies_by_isbn ON library.copies (isbn);

-- What a late reader owes.
CREATE FUNCTION library.fine(days integer, rate numeric) RETURNS numeric AS $$
BEGIN
  RETURN days * rate;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER stamp_copy BEFORE UPDATE ON copies FOR EACH ROW EXECUTE FUNCTION touch();

INSERT INTO titles (isbn) VALUES ('978-0');
