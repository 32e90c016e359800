import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { endedReason } from "@/lib/psu/ended-reason";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone } from "../alone";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly reason?: string | string[] }> };

/** Shown by the authorisation server when there is nobody it could lead the browser back to. */
export default async function EndedPage({ searchParams }: Props) {
  const texts = textsFor();
  const reason = endedReason((await searchParams).reason);
  return <Alone texts={texts} bankName={aspspProfile.name} notice={texts.alone[reason]} />;
}
