CREATE TABLE "payment_submission" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_payment" (
	"id" uuid PRIMARY KEY NOT NULL,
	"digest" text,
	"psu_id" text NOT NULL,
	"product" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" char(3) NOT NULL,
	"debtor_iban" varchar(34) NOT NULL,
	"creditor_name" varchar(70) NOT NULL,
	"creditor_iban" varchar(34) NOT NULL,
	"creditor_currency" char(3),
	"creditor_agent" char(8),
	"end_to_end_id" varchar(35),
	"remittance" varchar(140),
	"reject_without_funds" boolean NOT NULL,
	"authorised_at" timestamp (3) with time zone NOT NULL,
	"account_id" uuid NOT NULL,
	"debit_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"debit_currency" char(3) NOT NULL,
	"status" text NOT NULL,
	"funds_available" boolean,
	"limit_day" date,
	"limit_minor" bigint,
	"due_at" timestamp (3) with time zone,
	CONSTRAINT "ledger_payment_amounts" CHECK ("ledger_payment"."debit_minor" > 0 and "ledger_payment"."fee_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_payment_status" (
	"payment_id" uuid NOT NULL,
	"status" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"reason" text,
	CONSTRAINT "ledger_payment_status_payment_id_status_pk" PRIMARY KEY("payment_id","status")
);
--> statement-breakpoint
ALTER TABLE "payment_submission" ADD CONSTRAINT "payment_submission_payment_id_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payment"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_payment" ADD CONSTRAINT "ledger_payment_account_id_ledger_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_payment_status" ADD CONSTRAINT "ledger_payment_status_payment_id_ledger_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."ledger_payment"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_submission_due" ON "payment_submission" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "ledger_payment_due" ON "ledger_payment" USING btree ("due_at") WHERE "ledger_payment"."due_at" is not null;--> statement-breakpoint
ALTER TABLE "payment_state" ADD COLUMN "debit_currency" char(3);--> statement-breakpoint
-- The ledger executes on its own what was authorised by now, each payment from where it stands. Its entries know a
-- payment by its id, so that none is booked again.
INSERT INTO "ledger_payment" SELECT p."id", NULL, s."psu_id", p."product", p."amount_minor", p."currency", p."debtor_iban",
	p."creditor_name", p."creditor_iban", p."creditor_currency", p."creditor_agent", p."end_to_end_id", p."remittance",
	p."reject_without_funds", s."authorised_at", s."debit_account_id", s."debit_minor", s."fee_minor", a."currency",
	s."status", s."funds_available", s."limit_day", s."limit_minor", s."due_at"
FROM "payment" p JOIN "payment_state" s ON s."payment_id" = p."id" JOIN "ledger_account" a ON a."id" = s."debit_account_id"
WHERE s."authorised_at" IS NOT NULL AND s."status" NOT IN ('RCVD', 'ACTC');--> statement-breakpoint
INSERT INTO "ledger_payment_status" SELECT c."payment_id", c."status", c."at", c."reason"
FROM "payment_status_change" c JOIN "ledger_payment" p ON p."id" = c."payment_id"
WHERE c."status" NOT IN ('RCVD', 'ACTC');--> statement-breakpoint
-- What has not come to its end is asked for as soon as the ledger may have brought it on; what is ACTC is submitted.
INSERT INTO "payment_submission" ("payment_id", "due_at")
SELECT "payment_id", coalesce("due_at", "status_at") FROM "payment_state" WHERE "due_at" IS NOT NULL OR "status" = 'ACTC';--> statement-breakpoint
UPDATE "payment_state" s SET "debit_currency" = a."currency" FROM "ledger_account" a WHERE a."id" = s."debit_account_id";--> statement-breakpoint
ALTER TABLE "payment_state" DROP CONSTRAINT "payment_state_authorised";--> statement-breakpoint
ALTER TABLE "payment_state" DROP CONSTRAINT "payment_state_debit_account_id_ledger_account_id_fk";
--> statement-breakpoint
DROP INDEX "payment_state_due";--> statement-breakpoint
ALTER TABLE "payment_state" ALTER COLUMN "debit_account_id" SET DATA TYPE varchar(70);--> statement-breakpoint
ALTER TABLE "payment_state" ADD CONSTRAINT "payment_state_authorised" CHECK ("payment_state"."status" in ('RCVD', 'RJCT') or ("payment_state"."psu_id" is not null and "payment_state"."authorised_at" is not null and "payment_state"."debit_account_id" is not null and "payment_state"."debit_currency" is not null and "payment_state"."debit_minor" > 0 and "payment_state"."fee_minor" >= 0));--> statement-breakpoint
ALTER TABLE "payment_state" DROP COLUMN "limit_day";--> statement-breakpoint
ALTER TABLE "payment_state" DROP COLUMN "limit_minor";--> statement-breakpoint
ALTER TABLE "payment_state" DROP COLUMN "due_at";--> statement-breakpoint
-- Only the account's currency is new among what was authorised.
CREATE OR REPLACE FUNCTION "payment_state_proceeds"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		IF NEW."status" <> 'RCVD' THEN
			RAISE EXCEPTION 'a payment begins with RCVD' USING ERRCODE = 'integrity_constraint_violation';
		END IF;
		RETURN NEW;
	END IF;
	IF NEW."payment_id" <> OLD."payment_id" OR NEW."status" <> OLD."status" AND (OLD."status", NEW."status") NOT IN (
		('RCVD', 'ACTC'), ('RCVD', 'RJCT'), ('ACTC', 'ACCP'), ('ACTC', 'RJCT'),
		('ACCP', 'ACSP'), ('ACCP', 'PDNG'), ('ACCP', 'RJCT'), ('PDNG', 'ACSP'), ('PDNG', 'RJCT'),
		('ACSP', 'ACSC'), ('ACSP', 'RJCT'), ('ACSC', 'ACCC')
	) THEN
		RAISE EXCEPTION 'no payment goes from % to %', OLD."status", NEW."status" USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	IF OLD."authorised_at" IS NOT NULL AND (OLD."psu_id", OLD."authorised_at", OLD."debit_account_id", OLD."debit_currency", OLD."debit_minor", OLD."fee_minor")
		IS DISTINCT FROM (NEW."psu_id", NEW."authorised_at", NEW."debit_account_id", NEW."debit_currency", NEW."debit_minor", NEW."fee_minor") THEN
		RAISE EXCEPTION 'what was authorised does not change' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "ledger_payment_status_immutable" BEFORE UPDATE OR DELETE ON "ledger_payment_status"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "ledger_payment_status_kept" BEFORE TRUNCATE ON "ledger_payment_status"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
