# frozen_string_literal: true

require "net/smtp"

module Bookloan
  class Mailer
    TEXTS = {
      ready: "%{title} is waiting for you until %{until}.",
      due_soon: "%{title} is due on %{due_on}. You can renew it on our site.",
      overdue: "%{title} was due on %{due_on}. Every open day costs %{rate}."
    }.freeze

    def initialize(smtp, log: $stderr)
      @smtp = smtp
      @log = log
    end

    # Never raises: a mail that cannot be sent must not keep a book from being returned.
    def deliver(text, reader, **values)
      return false if reader.email.to_s.empty?

      body = format(TEXTS.fetch(text), values)
      Net::SMTP.start(@smtp["host"]) do |server|
        server.send_message(message(reader, body), @smtp["from"], reader.email)
      end
      true
    rescue SystemCallError, Net::SMTPError, IOError => e
      @log.puts "mail to card #{reader.card} was not sent: #{e.message}"
      false
    end

    private

    def message(reader, body)
      <<~MAIL
        From: #{@smtp["from"]}
        To: #{reader.email}
        Subject: Your library

        Dear #{reader.name},

        #{body}
      MAIL
    end
  end
end
