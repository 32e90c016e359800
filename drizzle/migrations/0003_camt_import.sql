CREATE TABLE "imported_statement" (
	"account_id" uuid NOT NULL,
	"statement_id" varchar(35) NOT NULL,
	"opening_minor" bigint NOT NULL,
	"closing_minor" bigint NOT NULL,
	"imported_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "imported_statement_account_id_statement_id_pk" PRIMARY KEY("account_id","statement_id")
);
--> statement-breakpoint
ALTER TABLE "imported_statement" ADD CONSTRAINT "imported_statement_account_id_ledger_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_reference" UNIQUE("account_id","entry_reference");