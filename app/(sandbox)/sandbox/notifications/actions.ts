"use server";

import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { services } from "@/lib/services";
import { isOpenTo } from "@/lib/workshop/context";

const ID = /^\d{1,18}$/;

export async function replayAction(sent: FormData): Promise<void> {
  const { config, sandboxNotifications } = services();
  if (!isOpenTo(new Headers(await headers()), config)) notFound();
  const id = sent.get("id");
  if (typeof id === "string" && ID.test(id)) await sandboxNotifications.replay(BigInt(id));
  redirect("/sandbox/notifications");
}
