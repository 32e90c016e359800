import { desc, eq } from "drizzle-orm";
import { sandboxMessage } from "@/drizzle/schema";
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
    of: (psu: PsuId, limit: number): Promise<readonly TextMessage[]> =>
      db
        .select({ psuId, sentAt, text, code })
        .from(sandboxMessage)
        .where(eq(psuId, psu))
        .orderBy(desc(id))
        .limit(limit),
  };
}
