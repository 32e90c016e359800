CREATE TABLE "account_consent" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tpp_id" text NOT NULL,
	"authorisation_id" uuid NOT NULL,
	"status" text NOT NULL,
	"requested_access" json NOT NULL,
	"access" jsonb NOT NULL,
	"recurring_indicator" boolean NOT NULL,
	"valid_until" date NOT NULL,
	"frequency_per_day" smallint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_action_date" date NOT NULL,
	"psu_id" text,
	"authorised_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "account_consent_of_authorisation" UNIQUE("authorisation_id"),
	CONSTRAINT "account_consent_status" CHECK ("account_consent"."status" in ('received', 'valid', 'rejected', 'expired', 'revokedByPsu', 'terminatedByTpp')),
	CONSTRAINT "account_consent_valid_by_psu" CHECK ("account_consent"."status" <> 'valid' or ("account_consent"."psu_id" is not null and "account_consent"."authorised_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "account_grant" (
	"resource_id" uuid PRIMARY KEY NOT NULL,
	"consent_id" uuid NOT NULL,
	"account_id" text NOT NULL,
	"position" smallint NOT NULL,
	"iban" text NOT NULL,
	"currency" text NOT NULL,
	"balances" boolean NOT NULL,
	"transactions" boolean NOT NULL,
	"owner_name" boolean NOT NULL,
	CONSTRAINT "account_grant_once" UNIQUE("consent_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "authorisation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"tpp_id" text NOT NULL,
	"sca_status" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"nok_redirect_uri" text,
	"login_hint" text,
	"psu_id" text,
	"failed_attempts" smallint NOT NULL,
	"selection" text[] NOT NULL,
	"code_fingerprint" text,
	"code_expires_at" timestamp (3) with time zone,
	"codes_sent" smallint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "authorisation_of_resource" UNIQUE("kind","resource_id"),
	CONSTRAINT "authorisation_kind" CHECK ("authorisation"."kind" in ('AIS', 'PIIS', 'PIS')),
	CONSTRAINT "authorisation_sca_status" CHECK ("authorisation"."sca_status" in ('received', 'psuAuthenticated', 'started', 'finalised', 'failed')),
	CONSTRAINT "authorisation_attempts" CHECK ("authorisation"."failed_attempts" >= 0 and "authorisation"."codes_sent" >= 0),
	CONSTRAINT "authorisation_challenge_whole" CHECK (("authorisation"."code_fingerprint" is null) = ("authorisation"."code_expires_at" is null)),
	CONSTRAINT "authorisation_psu_known" CHECK ("authorisation"."psu_id" is not null or "authorisation"."sca_status" in ('received', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "ledger_account" (
	"id" uuid PRIMARY KEY NOT NULL,
	"iban" varchar(34),
	"currency" char(3) NOT NULL,
	"bic" varchar(11) NOT NULL,
	"name" varchar(70) NOT NULL,
	"product" varchar(35) NOT NULL,
	"kind" text NOT NULL,
	"usage" text NOT NULL,
	"status" text NOT NULL,
	"is_default" boolean NOT NULL,
	"overdraft_minor" bigint NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "ledger_account_iban_currency" UNIQUE("iban","currency"),
	CONSTRAINT "ledger_account_kind" CHECK ("ledger_account"."kind" in ('current', 'savings', 'loan', 'internal') and ("ledger_account"."kind" = 'internal') = ("ledger_account"."iban" is null)),
	CONSTRAINT "ledger_account_usage" CHECK ("ledger_account"."usage" in ('PRIV', 'ORGA')),
	CONSTRAINT "ledger_account_status" CHECK ("ledger_account"."status" in ('enabled', 'blocked', 'deleted')),
	CONSTRAINT "ledger_account_currency" CHECK ("ledger_account"."currency" ~ '^[A-Z]{3}$'),
	CONSTRAINT "ledger_account_overdraft" CHECK ("ledger_account"."overdraft_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "account_owner" (
	"account_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "account_owner_account_id_customer_id_pk" PRIMARY KEY("account_id","customer_id"),
	CONSTRAINT "account_owner_role" CHECK ("account_owner"."role" in ('owner', 'legalRepresentative', 'authorisedUser'))
);
--> statement-breakpoint
CREATE TABLE "customer" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" text,
	"name" varchar(140) NOT NULL,
	"password_hash" text,
	CONSTRAINT "customer_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "customer_user_id_shape" CHECK ("customer"."user_id" ~ '^[a-z0-9._-]{1,64}$'),
	CONSTRAINT "customer_password_is_argon2id" CHECK (("customer"."user_id" is null) = ("customer"."password_hash" is null) and "customer"."password_hash" like '$argon2id$%')
);
--> statement-breakpoint
CREATE TABLE "ledger_entry" (
	"id" uuid PRIMARY KEY NOT NULL,
	"transfer_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"status" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"entered_on" date NOT NULL,
	"booked_on" date,
	"day" date GENERATED ALWAYS AS (coalesce(booked_on, entered_on)) STORED NOT NULL,
	"value_on" date,
	"counterparty_name" varchar(70),
	"counterparty_iban" varchar(34),
	"counterparty_bic" varchar(11),
	"remittance" varchar(140),
	"end_to_end_id" varchar(35),
	"entry_reference" varchar(35),
	"bank_transaction_code" varchar(35) NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_entry_side_of_transfer" UNIQUE("transfer_id","account_id"),
	CONSTRAINT "ledger_entry_amount" CHECK ("ledger_entry"."amount_minor" <> 0),
	CONSTRAINT "ledger_entry_status" CHECK ("ledger_entry"."status" in ('pending', 'booked')),
	CONSTRAINT "ledger_entry_booked_iff_booking_date" CHECK (("ledger_entry"."status" = 'booked') = ("ledger_entry"."booked_on" is not null)),
	CONSTRAINT "ledger_entry_entered_before_booked" CHECK ("ledger_entry"."booked_on" >= "ledger_entry"."entered_on")
);
--> statement-breakpoint
CREATE TABLE "standing_order" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"counterparty_name" varchar(70),
	"counterparty_iban" varchar(34),
	"counterparty_bic" varchar(11),
	"remittance" varchar(140),
	"start_on" date NOT NULL,
	"end_on" date,
	"frequency" text NOT NULL,
	"day_of_execution" smallint,
	CONSTRAINT "standing_order_amount" CHECK ("standing_order"."amount_minor" < 0),
	CONSTRAINT "standing_order_frequency" CHECK ("standing_order"."frequency" in ('Weekly', 'Monthly', 'Quarterly', 'Annual')),
	CONSTRAINT "standing_order_day" CHECK ("standing_order"."day_of_execution" between 1 and 31),
	CONSTRAINT "standing_order_ends_after_start" CHECK ("standing_order"."end_on" >= "standing_order"."start_on")
);
--> statement-breakpoint
CREATE TABLE "oidc_payload" (
	"model" text NOT NULL,
	"id_hash" text NOT NULL,
	"grant_id" text,
	"uid" text,
	"account_id" text,
	"payload" json NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"consumed_at" timestamp (3) with time zone,
	CONSTRAINT "oidc_payload_model_id_hash_pk" PRIMARY KEY("model","id_hash")
);
--> statement-breakpoint
CREATE TABLE "psu_session" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"psu_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_message" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox_message_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"psu_id" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"text" text NOT NULL,
	"code" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tpp" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"authority_name" text NOT NULL,
	"authority_id" text NOT NULL,
	"roles" text[] NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_window" (
	"consent_id" uuid NOT NULL,
	"resource" text NOT NULL,
	"hits" timestamp (3) with time zone[] NOT NULL,
	CONSTRAINT "usage_window_consent_id_resource_pk" PRIMARY KEY("consent_id","resource")
);
--> statement-breakpoint
ALTER TABLE "account_consent" ADD CONSTRAINT "account_consent_tpp_id_tpp_id_fk" FOREIGN KEY ("tpp_id") REFERENCES "public"."tpp"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_consent" ADD CONSTRAINT "account_consent_authorisation_id_authorisation_id_fk" FOREIGN KEY ("authorisation_id") REFERENCES "public"."authorisation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_grant" ADD CONSTRAINT "account_grant_consent_id_account_consent_id_fk" FOREIGN KEY ("consent_id") REFERENCES "public"."account_consent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorisation" ADD CONSTRAINT "authorisation_tpp_id_tpp_id_fk" FOREIGN KEY ("tpp_id") REFERENCES "public"."tpp"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_owner" ADD CONSTRAINT "account_owner_account_id_ledger_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_owner" ADD CONSTRAINT "account_owner_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account_id_ledger_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "standing_order" ADD CONSTRAINT "standing_order_account_id_ledger_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_window" ADD CONSTRAINT "usage_window_consent_id_account_consent_id_fk" FOREIGN KEY ("consent_id") REFERENCES "public"."account_consent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_consent_of_tpp" ON "account_consent" USING btree ("tpp_id","psu_id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_consent_one_recurring" ON "account_consent" USING btree ("tpp_id","psu_id") WHERE "account_consent"."recurring_indicator" and "account_consent"."status" = 'valid';--> statement-breakpoint
CREATE INDEX "authorisation_of_tpp" ON "authorisation" USING btree ("tpp_id","expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_account_one_default" ON "ledger_account" USING btree ("iban") WHERE "ledger_account"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_account_one_clearing" ON "ledger_account" USING btree ("currency") WHERE "ledger_account"."kind" = 'internal';--> statement-breakpoint
CREATE INDEX "account_owner_customer" ON "account_owner" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "ledger_entry_page" ON "ledger_entry" USING btree ("account_id","day","id");--> statement-breakpoint
CREATE INDEX "ledger_entry_pending_page" ON "ledger_entry" USING btree ("account_id","day","id") WHERE "ledger_entry"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "standing_order_account" ON "standing_order" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "oidc_payload_of_grant" ON "oidc_payload" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oidc_payload_by_uid" ON "oidc_payload" USING btree ("model","uid");--> statement-breakpoint
CREATE INDEX "oidc_payload_of_authorisation" ON "oidc_payload" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "oidc_payload_expiry" ON "oidc_payload" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sandbox_message_of_psu" ON "sandbox_message" USING btree ("psu_id","sent_at","id");