-- A report hands out a hundred entries, and each is read far more often than it is written: its line is made
-- when it is entered or booked, by the table itself, so that it never says anything else than its columns.
-- Immutable: text and dates in JSON look the same under every setting, which PostgreSQL does not promise
-- of all that can be put into it. The table is written anew once, without a trigger of it being called.
CREATE FUNCTION "ledger_entry_line"(
	"id" uuid, "status" text, "amount_minor" bigint, "day" date, "counterparty_name" text,
	"counterparty_iban" text, "counterparty_bic" text, "bank_transaction_code" text, "value_on" date,
	"remittance" text, "end_to_end_id" text, "entry_reference" text
) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT json_build_array("id", "status", "amount_minor"::text, "day", "counterparty_name",
		"counterparty_iban", "counterparty_bic", "bank_transaction_code", "value_on",
		"remittance", "end_to_end_id", "entry_reference")
$$;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD COLUMN "line" json GENERATED ALWAYS AS (ledger_entry_line(id, status, amount_minor, coalesce(booked_on, entered_on), counterparty_name, counterparty_iban, counterparty_bic, bank_transaction_code, value_on, remittance, end_to_end_id, entry_reference)) STORED NOT NULL;
