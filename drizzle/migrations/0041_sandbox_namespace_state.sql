CREATE TABLE "sandbox_namespace" (
	"tpp_id" text PRIMARY KEY NOT NULL,
	"core_fault" text,
	"reset_on" date,
	"resets" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sandbox_namespace_core_fault" CHECK ("sandbox_namespace"."core_fault" in ('away', 'slow', 'broken'))
);
