-- The revision says which entries there are: a page that went out goes out again while it is the same, so nobody but the
-- function that counts it says what it is.
DROP TRIGGER "ledger_account_opened_at_zero" ON "ledger_account";--> statement-breakpoint
DROP TRIGGER "ledger_account_sums_kept" ON "ledger_account";--> statement-breakpoint
CREATE TRIGGER "ledger_account_opened_at_zero" BEFORE INSERT ON "ledger_account" FOR EACH ROW
	WHEN ((NEW."revision", NEW."booked_minor", NEW."pending_minor", NEW."reserved_minor", NEW."undated_minor") <> (0, 0, 0, 0, 0) OR NEW."changed_at" IS NOT NULL)
	EXECUTE FUNCTION "ledger_sums_follow_entries"();--> statement-breakpoint
CREATE TRIGGER "ledger_account_sums_kept" BEFORE UPDATE ON "ledger_account" FOR EACH ROW
	WHEN (pg_trigger_depth() = 0 AND (NEW."revision", NEW."booked_minor", NEW."pending_minor", NEW."reserved_minor", NEW."undated_minor", NEW."changed_at")
		IS DISTINCT FROM (OLD."revision", OLD."booked_minor", OLD."pending_minor", OLD."reserved_minor", OLD."undated_minor", OLD."changed_at"))
	EXECUTE FUNCTION "ledger_sums_follow_entries"();
