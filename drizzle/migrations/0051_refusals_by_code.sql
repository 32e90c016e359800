CREATE TABLE "refusal_day" (
	"day" date NOT NULL,
	"area" text NOT NULL,
	"code" text NOT NULL,
	"requests" bigint NOT NULL,
	CONSTRAINT "refusal_day_day_area_code_pk" PRIMARY KEY("day","area","code")
);
