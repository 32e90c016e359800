import * as z from "zod";
import type { EventLine, EventPosition } from "@/lib/domain/events";
import { addTime, parseIsoDate } from "@/lib/domain/values";
import { systemClock } from "@/lib/system-clock";
import type { Params } from "./forms";
import type { Column } from "./table";
import type { StaffTexts } from "./texts/en";
import { staffTextsFor } from "./texts/texts-for";
import type { StaffVisit } from "./visit";

/** A page of the console; the rest of an hour follows from where it ends. */
const SHOWN_MAX = 500;

type Asked = Readonly<Record<string, string | readonly string[] | undefined>>;

const content = z.looseObject({
  tppId: z.string().optional(),
  requestId: z.string().optional(),
  resourceKind: z.string().optional(),
  resourceId: z.string().optional(),
  actor: z.string().optional(),
  detail: z.record(z.string(), z.unknown()),
});

export type ShownEvent = Pick<EventLine, "id" | "recordedAt" | "kind"> & {
  readonly tppId: string;
  readonly about: string;
  readonly actor: string;
  readonly detail: string;
};

/** The events of an hour of UTC, as hours are sealed, in the order in which they were recorded; of this hour without any. */
export async function eventsView({ services }: StaffVisit, asked: Asked) {
  // Events are recorded by the machine's clock, also in a sandbox whose own was moved.
  const from = hourAsked(asked) ?? hourOf(await systemClock.now());
  const found = await services.eventReader.list(
    { from: from.toISOString(), to: addTime(from, 1, "hour").toISOString() },
    { after: positionOf(asked["after"]), limit: SHOWN_MAX + 1 },
  );
  const rows = found.slice(0, SHOWN_MAX).map(toShown);
  const last = rows.at(-1);
  const shown = { day: from.toISOString().slice(0, 10), hour: String(from.getUTCHours()) };
  const next = found.length > SHOWN_MAX && last ? cursorOf(shown, last) : undefined;
  return { ...shown, rows, next };
}

function hourOf(instant: Date): Date {
  return new Date(`${instant.toISOString().slice(0, 13)}:00:00.000Z`);
}

function hourAsked({ day, hour }: Asked): Date | undefined {
  if (typeof day !== "string" || parseIsoDate(day) === undefined) return undefined;
  const given = typeof hour === "string" && /^([01]?\d|2[0-3])$/.test(hour) ? hour : "0";
  return new Date(`${day}T${given.padStart(2, "0")}:00:00.000Z`);
}

/** The query of the page that follows. */
function cursorOf(shown: Readonly<Record<string, string>>, { recordedAt, id }: EventPosition) {
  return `?${new URLSearchParams({ ...shown, after: `${recordedAt} ${id}` })}`;
}

const POSITION = /^(?<recordedAt>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (?<id>\d{1,18})$/;

function positionOf(after: Asked[string]): EventPosition | undefined {
  const { recordedAt, id } = (typeof after === "string" && POSITION.exec(after)?.groups) || {};
  return recordedAt === undefined || id === undefined ? undefined : { recordedAt, id };
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
  return { id, recordedAt, kind, tppId, about, actor, detail: JSON.stringify(detail) };
}

export function eventColumns({ events: words }: StaffTexts): readonly Column<ShownEvent>[] {
  const column = (key: keyof ShownEvent & keyof typeof words.columns): Column<ShownEvent> => ({
    key,
    label: words.columns[key],
    text: (row) => row[key],
    order: (row) => row[key],
  });
  return [
    ...(["recordedAt", "kind", "actor", "tppId", "about"] as const).map(column),
    { ...column("detail"), text: ({ detail }) => (detail === "{}" ? "" : detail) },
  ];
}

/** As many as the page shows, for its file. */
export async function eventsTable(visit: StaffVisit, _params: Params, asked: Asked) {
  const { rows } = await eventsView(visit, asked);
  return { rows, columns: eventColumns(staffTextsFor(visit.language)) };
}
