import { sql } from "drizzle-orm";
import { check, index, pgTable, uniqueIndex } from "drizzle-orm/pg-core";
import { type PermissionKind, permissionKinds } from "../../../lib/domain/permissions";
import type { PsuId, TppId } from "../../../lib/domain/values";
import { instant, oneOf } from "../columns";
import { tpp } from "./tpps";

/** As the transaction or the connection says. */
export const actor = sql`nullif(current_setting('drawbridge.actor', true), '')`;

/** What a customer refuses to be asked for: by one TPP, or by any where there is none. None is ever removed. */
export const optOut = pgTable(
  "opt_out",
  (t) => ({
    id: t.bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    psuId: t.text("psu_id").$type<PsuId>().notNull(),
    tppId: t
      .text("tpp_id")
      .$type<TppId>()
      .references(() => tpp.id),
    kind: t.text("kind").$type<PermissionKind>().notNull(),
    setAt: instant("set_at").notNull(),
    /** Who acted for the bank; null where the customer did. */
    setBy: t.text("set_by").default(actor),
    endedAt: instant("ended_at"),
    endedBy: t.text("ended_by"),
  }),
  (row) => [
    /** Also what is looked up when a customer has signed in for a TPP's request. */
    uniqueIndex("opt_out_standing")
      .on(row.psuId, row.kind, sql`coalesce(${row.tppId}, '')`)
      .where(sql`${row.endedAt} is null`),
    index("opt_out_of_psu").on(row.psuId, row.id).where(sql`${row.endedAt} is null`),
    check("opt_out_kind", oneOf(row.kind, permissionKinds)),
    check("opt_out_ended", sql`${row.endedAt} is not null or ${row.endedBy} is null`),
  ],
);
