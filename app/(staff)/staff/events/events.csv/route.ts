import { eventsTable } from "@/lib/staff/events";
import { staffCsv } from "@/lib/staff/table";

export const GET = staffCsv({ action: "see-events", name: "events.csv", load: eventsTable });
