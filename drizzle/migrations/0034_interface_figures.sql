CREATE TABLE "channel_day" (
	"channel" text NOT NULL,
	"day" date NOT NULL,
	"planned_downtime" double precision NOT NULL,
	"unplanned_downtime" double precision NOT NULL,
	"accounts_milliseconds" double precision,
	"payments_milliseconds" double precision,
	"errors" double precision NOT NULL,
	CONSTRAINT "channel_day_channel_day_pk" PRIMARY KEY("channel","day"),
	CONSTRAINT "channel_day_shares" CHECK ("channel_day"."planned_downtime" >= 0 and "channel_day"."unplanned_downtime" >= 0 and "channel_day"."planned_downtime" + "channel_day"."unplanned_downtime" <= 1 and "channel_day"."errors" between 0 and 1)
);
--> statement-breakpoint
CREATE TABLE "planned_downtime" (
	"id" uuid PRIMARY KEY NOT NULL,
	"interface" text NOT NULL,
	"begins_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"announced_at" timestamp (3) with time zone NOT NULL,
	"announced_by" text NOT NULL,
	CONSTRAINT "planned_downtime_order" CHECK ("planned_downtime"."begins_at" < "planned_downtime"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "probe_run" (
	"interface" text NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"answered" boolean NOT NULL,
	"probes" integer NOT NULL,
	CONSTRAINT "probe_run_interface_began_at_pk" PRIMARY KEY("interface","began_at"),
	CONSTRAINT "probe_run_order" CHECK ("probe_run"."began_at" <= "probe_run"."last_at")
);
--> statement-breakpoint
CREATE TABLE "request_day" (
	"day" date NOT NULL,
	"area" text NOT NULL,
	"outcome" text NOT NULL,
	"requests" bigint NOT NULL,
	"took_microseconds" bigint NOT NULL,
	CONSTRAINT "request_day_day_area_outcome_pk" PRIMARY KEY("day","area","outcome")
);
--> statement-breakpoint
CREATE TABLE "request_minute" (
	"minute" timestamp (3) with time zone NOT NULL,
	"area" text NOT NULL,
	"outcome" text NOT NULL,
	"requests" integer NOT NULL,
	"took_microseconds" bigint NOT NULL,
	CONSTRAINT "request_minute_minute_area_outcome_pk" PRIMARY KEY("minute","area","outcome"),
	CONSTRAINT "request_minute_area" CHECK ("request_minute"."area" in ('aisp', 'pisp', 'cbpii', 'oauth', 'pages')),
	CONSTRAINT "request_minute_outcome" CHECK ("request_minute"."outcome" in ('granted', 'refused', 'failed', 'unanswered'))
);
--> statement-breakpoint
CREATE INDEX "probe_run_last_at" ON "probe_run" USING btree ("last_at");