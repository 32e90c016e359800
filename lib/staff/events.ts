import * as z from "zod";
import { type EventLine, type EventPosition, isEventKind, retentions } from "@/lib/domain/events";
import { addTime } from "@/lib/domain/values";
import { systemClock } from "@/lib/system-clock";
import { columnsOf, dayAsked, type Query, type Table } from "./table";
import type { StaffTexts } from "./texts/en";
import { staffTextsFor } from "./texts/texts-for";
import type { StaffVisit } from "./visit";

/** A page of the console; the rest of an hour follows from where it ends. */
const SHOWN_MAX = 500;

const content = z.looseObject({
  tppId: z.string().optional(),
  requestId: z.string().optional(),
  resourceKind: z.string().optional(),
  resourceId: z.string().optional(),
  actor: z.string().optional(),
  detail: z.record(z.string(), z.unknown()),
});

type ShownEvent = Pick<EventLine, "id" | "recordedAt" | "kind"> & {
  readonly tppId: string;
  readonly about: string;
  readonly actor: string;
  readonly detail: string;
};

/** The events of an hour of UTC, as hours are sealed, of one kind or of all, as they were recorded; of this hour without any. */
export async function eventsView({ services, language }: StaffVisit, asked: Query) {
  // Events are recorded by the machine's clock, also in a sandbox whose own was moved.
  const from = hourAsked(asked) ?? hourOf(await systemClock.now());
  const kind = isEventKind(asked["kind"]) ? asked["kind"] : undefined;
  const found = await services.eventReader.list(
    { from: from.toISOString(), to: addTime(from, 1, "hour").toISOString(), kind },
    { after: positionOf(asked["after"]), limit: SHOWN_MAX + 1 },
  );
  const rows = found.slice(0, SHOWN_MAX).map(toShown);
  const last = found[rows.length - 1];
  const day = from.toISOString().slice(0, 10);
  const shown = { day, hour: String(from.getUTCHours()), ...(kind && { kind }) };
  const next = found.length > SHOWN_MAX && last ? cursorOf(shown, last) : undefined;
  return { shown, table: tableOf(staffTextsFor(language), rows), next };
}

function hourOf(instant: Date): Date {
  return new Date(`${instant.toISOString().slice(0, 13)}:00:00.000Z`);
}

function hourAsked({ day, hour }: Query): Date | undefined {
  const asked = dayAsked(day);
  if (asked === undefined) return undefined;
  const given = typeof hour === "string" && /^([01]?\d|2[0-3])$/.test(hour) ? hour : "0";
  return new Date(`${asked}T${given.padStart(2, "0")}:00:00.000Z`);
}

/** The query of the page that follows. */
function cursorOf(shown: Readonly<Record<string, string>>, last: EventLine) {
  return `?${new URLSearchParams({ ...shown, after: `${last.recordedAt} ${last.id} ${last.retention}` })}`;
}

const POSITION =
  /^(?<recordedAt>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (?<id>\d{1,18}) (?<retention>[a-z]+)$/;

function positionOf(after: Query[string]): EventPosition | undefined {
  const found = (typeof after === "string" && POSITION.exec(after)?.groups) || {};
  const { recordedAt, id } = found;
  const retention = retentions.find((one) => one === found["retention"]);
  if (recordedAt === undefined || id === undefined || retention === undefined) return undefined;
  // The database has no 30 February; JavaScript takes it for 2 March.
  const exists =
    dayAsked(recordedAt.slice(0, 10)) !== undefined && !Number.isNaN(Date.parse(recordedAt));
  if (!exists) return undefined;
  return { recordedAt, id, retention };
}

function toShown({ id, recordedAt, kind, line }: EventLine): ShownEvent {
  const {
    tppId = "",
    requestId,
    resourceKind,
    resourceId,
    actor = "",
    detail,
  } = content.parse(JSON.parse(line));
  const about = [resourceKind, resourceId, requestId].filter((one) => one !== undefined).join(" ");
  const said = Object.keys(detail).length === 0 ? "" : JSON.stringify(detail);
  return { id, recordedAt, kind, tppId, about, actor, detail: said };
}

function tableOf({ events }: StaffTexts, rows: readonly ShownEvent[]): Table<ShownEvent> {
  const columns = columnsOf(events.columns, {
    recordedAt: ({ recordedAt }: ShownEvent) => recordedAt,
    kind: ({ kind }) => kind,
    actor: ({ actor }) => actor,
    tppId: ({ tppId }) => tppId,
    about: ({ about }) => about,
    detail: ({ detail }) => detail,
  });
  return { rows, columns, keyOf: ({ id }) => id };
}
