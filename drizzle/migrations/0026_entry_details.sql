ALTER TABLE "ledger_account" ADD COLUMN "display_name" varchar(70);--> statement-breakpoint
ALTER TABLE "ledger_account" ADD COLUMN "linked_accounts" varchar(70);--> statement-breakpoint
ALTER TABLE "ledger_account" ADD COLUMN "masked_pan" varchar(35);--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD COLUMN "details" json;--> statement-breakpoint
-- The details come last in a line: a server of before this migration reads the same line without them, and goes on
-- calling the function of twelve arguments, which stays for it.
CREATE FUNCTION "ledger_entry_line"(
	"id" uuid, "status" text, "amount_minor" bigint, "day" date, "counterparty_name" text,
	"counterparty_iban" text, "counterparty_bic" text, "bank_transaction_code" text, "value_on" date,
	"remittance" text, "end_to_end_id" text, "entry_reference" text, "details" json
) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT json_build_array("id", "status", "amount_minor"::text, "day", "counterparty_name",
		"counterparty_iban", "counterparty_bic", "bank_transaction_code", "value_on",
		"remittance", "end_to_end_id", "entry_reference", "details")
$$;--> statement-breakpoint
ALTER TABLE "ledger_entry" DROP COLUMN "line";--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD COLUMN "line" json GENERATED ALWAYS AS (ledger_entry_line(id, status, amount_minor, coalesce(booked_on, entered_on), counterparty_name, counterparty_iban, counterparty_bic, bank_transaction_code, value_on, remittance, end_to_end_id, entry_reference, details)) STORED NOT NULL;
