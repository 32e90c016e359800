CREATE TABLE "audit_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"tpp_id" text NOT NULL,
	"request_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "funds_check_budget" (
	"consent_id" uuid PRIMARY KEY NOT NULL,
	"checks_left" double precision NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "funds_consent" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tpp_id" text NOT NULL,
	"authorisation_id" uuid NOT NULL,
	"status" text NOT NULL,
	"iban" varchar(34) NOT NULL,
	"currency" char(3),
	"card_number" varchar(35),
	"card_expiry_date" date,
	"card_information" varchar(140),
	"registration_information" varchar(140),
	"created_at" timestamp (3) with time zone NOT NULL,
	"psu_id" text,
	"account_id" uuid,
	"authorised_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "funds_consent_of_authorisation" UNIQUE("authorisation_id"),
	CONSTRAINT "funds_consent_status" CHECK ("funds_consent"."status" in ('received', 'valid', 'rejected', 'partiallyAuthorised', 'expired', 'revokedByPsu', 'terminatedByTpp')),
	CONSTRAINT "funds_consent_valid_by_psu" CHECK ("funds_consent"."status" <> 'valid' or ("funds_consent"."psu_id" is not null and "funds_consent"."account_id" is not null and "funds_consent"."authorised_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "payment" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tpp_id" text NOT NULL,
	"authorisation_id" uuid NOT NULL,
	"product" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" char(3) NOT NULL,
	"debtor_iban" varchar(34) NOT NULL,
	"debtor_currency" char(3),
	"creditor_name" varchar(70) NOT NULL,
	"creditor_iban" varchar(34) NOT NULL,
	"creditor_currency" char(3),
	"creditor_agent" char(8),
	"creditor_address" json,
	"end_to_end_id" varchar(35),
	"remittance" varchar(140),
	"charge_bearer" char(4) NOT NULL,
	"reject_without_funds" boolean NOT NULL,
	"instruction" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_of_authorisation" UNIQUE("authorisation_id"),
	CONSTRAINT "payment_amount" CHECK ("payment"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "payment_initiation" (
	"tpp_id" text NOT NULL,
	"request_id" uuid NOT NULL,
	"body_digest" text NOT NULL,
	"status" smallint NOT NULL,
	"headers" json NOT NULL,
	"body" text NOT NULL,
	"payment_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_initiation_tpp_id_request_id_pk" PRIMARY KEY("tpp_id","request_id"),
	CONSTRAINT "payment_initiation_of_payment" UNIQUE("payment_id")
);
--> statement-breakpoint
CREATE TABLE "payment_limit_day" (
	"psu_id" text NOT NULL,
	"day" date NOT NULL,
	"used_minor" bigint NOT NULL,
	CONSTRAINT "payment_limit_day_psu_id_day_pk" PRIMARY KEY("psu_id","day"),
	CONSTRAINT "payment_limit_day_used" CHECK ("payment_limit_day"."used_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payment_state" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"status_at" timestamp (3) with time zone NOT NULL,
	"reason" text,
	"funds_available" boolean,
	"psu_id" text,
	"authorised_at" timestamp (3) with time zone,
	"debit_account_id" uuid,
	"debit_minor" bigint,
	"fee_minor" bigint,
	"limit_day" date,
	"limit_minor" bigint,
	"due_at" timestamp (3) with time zone,
	CONSTRAINT "payment_state_status" CHECK ("payment_state"."status" in ('RCVD', 'ACTC', 'ACCP', 'PDNG', 'ACSP', 'ACSC', 'ACCC', 'RJCT')),
	CONSTRAINT "payment_state_reason" CHECK (("payment_state"."status" = 'RJCT') = ("payment_state"."reason" is not null)),
	CONSTRAINT "payment_state_authorised" CHECK ("payment_state"."status" in ('RCVD', 'RJCT') or ("payment_state"."psu_id" is not null and "payment_state"."authorised_at" is not null and "payment_state"."debit_account_id" is not null and "payment_state"."debit_minor" > 0 and "payment_state"."fee_minor" >= 0))
);
--> statement-breakpoint
CREATE TABLE "payment_status_change" (
	"payment_id" uuid NOT NULL,
	"status" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"reason" text,
	CONSTRAINT "payment_status_change_payment_id_status_pk" PRIMARY KEY("payment_id","status")
);
--> statement-breakpoint
CREATE TABLE "psu_attempts" (
	"user_key" text PRIMARY KEY NOT NULL,
	"failures" smallint NOT NULL,
	"blocked_before" boolean NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "psu_attempts_failures" CHECK ("psu_attempts"."failures" >= 0)
);
--> statement-breakpoint
-- What was started before its request's id was kept has one that nobody will ever send.
ALTER TABLE "authorisation" ADD COLUMN "request_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "authorisation" ALTER COLUMN "request_id" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "failed_because" text;--> statement-breakpoint
ALTER TABLE "customer" ADD COLUMN "payment_limit_minor" bigint;--> statement-breakpoint
ALTER TABLE "funds_check_budget" ADD CONSTRAINT "funds_check_budget_consent_id_funds_consent_id_fk" FOREIGN KEY ("consent_id") REFERENCES "public"."funds_consent"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "funds_consent" ADD CONSTRAINT "funds_consent_tpp_id_tpp_id_fk" FOREIGN KEY ("tpp_id") REFERENCES "public"."tpp"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_tpp_id_tpp_id_fk" FOREIGN KEY ("tpp_id") REFERENCES "public"."tpp"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_initiation" ADD CONSTRAINT "payment_initiation_tpp_id_tpp_id_fk" FOREIGN KEY ("tpp_id") REFERENCES "public"."tpp"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The answer is inserted before its payment: its key decides whether there is to be one.
ALTER TABLE "payment_initiation" ADD CONSTRAINT "payment_initiation_payment_id_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payment"("id") ON DELETE no action ON UPDATE no action DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint
ALTER TABLE "payment_state" ADD CONSTRAINT "payment_state_payment_id_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payment"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_state" ADD CONSTRAINT "payment_state_debit_account_id_ledger_account_id_fk" FOREIGN KEY ("debit_account_id") REFERENCES "public"."ledger_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_status_change" ADD CONSTRAINT "payment_status_change_payment_id_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payment"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_event_of_tpp" ON "audit_event" USING btree ("tpp_id","id");--> statement-breakpoint
CREATE INDEX "funds_consent_of_tpp" ON "funds_consent" USING btree ("tpp_id","created_at");--> statement-breakpoint
CREATE INDEX "funds_consent_of_psu" ON "funds_consent" USING btree ("psu_id");--> statement-breakpoint
CREATE INDEX "funds_consent_last_day" ON "funds_consent" USING btree ("card_expiry_date") WHERE "funds_consent"."status" = 'valid';--> statement-breakpoint
CREATE INDEX "payment_of_tpp" ON "payment" USING btree ("tpp_id","created_at");--> statement-breakpoint
CREATE INDEX "payment_state_due" ON "payment_state" USING btree ("due_at") WHERE "payment_state"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_state_of_psu" ON "payment_state" USING btree ("psu_id");--> statement-breakpoint
CREATE INDEX "psu_attempts_age" ON "psu_attempts" USING btree ("last_at");--> statement-breakpoint
ALTER TABLE "authorisation" ADD CONSTRAINT "authorisation_of_request" UNIQUE("kind","tpp_id","request_id");--> statement-breakpoint
ALTER TABLE "customer" ADD CONSTRAINT "customer_payment_limit" CHECK ("customer"."payment_limit_minor" >= 0);--> statement-breakpoint
-- What a PSU sees, authorises and pays is one and the same row (RTS art. 5(1)).
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'a row of % is never changed or removed', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER "payment_immutable" BEFORE UPDATE OR DELETE ON "payment"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "payment_kept" BEFORE TRUNCATE ON "payment"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "payment_initiation_immutable" BEFORE UPDATE OR DELETE ON "payment_initiation"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "payment_initiation_kept" BEFORE TRUNCATE ON "payment_initiation"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "payment_status_change_immutable" BEFORE UPDATE OR DELETE ON "payment_status_change"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "payment_status_change_kept" BEFORE TRUNCATE ON "payment_status_change"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "payment_state_kept" BEFORE DELETE ON "payment_state"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "payment_state_kept_whole" BEFORE TRUNCATE ON "payment_state"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "audit_event_immutable" BEFORE UPDATE OR DELETE ON "audit_event"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "audit_event_kept" BEFORE TRUNCATE ON "audit_event"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
-- Forward only, by the table of the domain (a test compares the two); and what was authorised is set once.
CREATE FUNCTION "payment_state_proceeds"() RETURNS trigger LANGUAGE plpgsql AS $$
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
	IF OLD."authorised_at" IS NOT NULL AND (OLD."psu_id", OLD."authorised_at", OLD."debit_account_id", OLD."debit_minor", OLD."fee_minor")
		IS DISTINCT FROM (NEW."psu_id", NEW."authorised_at", NEW."debit_account_id", NEW."debit_minor", NEW."fee_minor") THEN
		RAISE EXCEPTION 'what was authorised does not change' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "payment_state_forward_only" BEFORE INSERT OR UPDATE ON "payment_state"
	FOR EACH ROW EXECUTE FUNCTION "payment_state_proceeds"();--> statement-breakpoint
CREATE FUNCTION "payment_status_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' OR NEW."status" <> OLD."status" THEN
		INSERT INTO "payment_status_change" VALUES (NEW."payment_id", NEW."status", NEW."status_at", NEW."reason");
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "payment_state_kept_track_of" AFTER INSERT OR UPDATE ON "payment_state"
	FOR EACH ROW EXECUTE FUNCTION "payment_status_changed"();--> statement-breakpoint
-- Balance plus overdraft less what is reserved: money that is still on its way here is not counted.
CREATE VIEW "account_funds" AS SELECT "account"."id" AS "account_id", "account"."overdraft_minor" + coalesce((
	SELECT sum("entry"."amount_minor") FROM "ledger_entry" "entry"
	WHERE "entry"."account_id" = "account"."id" AND ("entry"."status" = 'booked' OR "entry"."amount_minor" < 0)
), 0)::bigint AS "available_minor" FROM "ledger_account" "account";
