import { notFound } from "next/navigation";
import { phoneOf } from "@/lib/sandbox/phone";
import { services } from "@/lib/services";
import { SandboxPhone } from "../../phone";

type Props = { readonly searchParams: Promise<{ readonly psu?: string | string[] }> };

export default async function PhonePage({ searchParams }: Props) {
  const ours = services();
  const phone = await phoneOf(ours, (await searchParams).psu);
  if (phone === undefined) notFound();
  return <SandboxPhone bank={ours.profile} phone={phone} />;
}
