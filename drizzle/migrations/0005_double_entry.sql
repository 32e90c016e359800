-- No money is made or lost, whoever writes: the entries of a transfer add up to zero in each currency,
-- so all entries do. Judged when the transaction commits, because then both sides are there. Amounts and
-- transfers never change, so nothing but a new entry can upset it. The plan of its query is kept for as
-- long as a connection is: without the setting, one that was made while there were few entries reads all.
CREATE FUNCTION "ledger_transfer_adds_up"() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
	IF EXISTS (
		SELECT FROM "ledger_entry" "entry" JOIN "ledger_account" "account" ON "account"."id" = "entry"."account_id"
		WHERE "entry"."transfer_id" = NEW."transfer_id"
		GROUP BY "account"."currency" HAVING sum("entry"."amount_minor") <> 0
	) THEN
		RAISE EXCEPTION 'transfer % does not add up to zero', NEW."transfer_id" USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "ledger_entry_adds_up" AFTER INSERT ON "ledger_entry"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "ledger_transfer_adds_up"();--> statement-breakpoint
-- What is booked stays booked; a mistake is put right by a transfer of its own.
CREATE FUNCTION "ledger_entry_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF (NEW."id", NEW."transfer_id", NEW."account_id", NEW."amount_minor")
		IS DISTINCT FROM (OLD."id", OLD."transfer_id", OLD."account_id", OLD."amount_minor") THEN
		RAISE EXCEPTION 'an entry keeps its id, transfer, account and amount' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	IF OLD."status" = 'booked' AND NEW."status" <> 'booked' THEN
		RAISE EXCEPTION 'a booked entry stays booked' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "ledger_entry_immutable" BEFORE UPDATE ON "ledger_entry"
	FOR EACH ROW EXECUTE FUNCTION "ledger_entry_stays"();--> statement-breakpoint
CREATE TRIGGER "ledger_entry_kept" BEFORE DELETE ON "ledger_entry"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "ledger_entry_kept_whole" BEFORE TRUNCATE ON "ledger_entry"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
-- An entry is in the currency of its account.
CREATE FUNCTION "ledger_account_keeps_currency"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'an account keeps its currency' USING ERRCODE = 'integrity_constraint_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER "ledger_account_currency_kept" BEFORE UPDATE OF "currency" ON "ledger_account"
	FOR EACH ROW WHEN (NEW."currency" <> OLD."currency") EXECUTE FUNCTION "ledger_account_keeps_currency"();
