import { desc, eq } from "drizzle-orm";
import { sandboxMessage } from "@/drizzle/schema/drawbridge";
import type { PsuId } from "@/lib/domain/identifiers";
import type { TextMessage } from "@/lib/domain/sca/one-time-codes";
import type { Database } from "./client";

const { id, psuId, sentAt, text, code } = sandboxMessage;

/** The inboxes of the sandbox's phones. */
export function messageStore(db: Database) {
  return {
    keep: async (message: TextMessage): Promise<void> => {
      await db.insert(sandboxMessage).values(message);
    },
    /** Newest first, as they arrived: the sandbox's clock may have been moved between two of them. */
    of: async (psu: PsuId, limit: number): Promise<readonly TextMessage[]> => {
      const rows = await db
        .select({ psuId, sentAt, text, code })
        .from(sandboxMessage)
        .where(eq(psuId, psu))
        .orderBy(desc(id))
        .limit(limit);
      return rows.map(({ code: sent, ...message }) =>
        sent === null ? message : { ...message, code: sent },
      );
    },
  };
}
