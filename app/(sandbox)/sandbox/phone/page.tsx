import { notFound } from "next/navigation";
import { house } from "@/lib/composition";
import { SandboxPhone } from "../../phone";
import { phoneOf } from "../../phone-of";

export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<{ readonly psu?: string | string[] }> };

export default async function PhonePage({ searchParams }: Props) {
  const ours = house();
  const phone = await phoneOf(ours, (await searchParams).psu);
  if (phone === undefined) notFound();
  return <SandboxPhone bank={ours.profile} phone={phone} />;
}
