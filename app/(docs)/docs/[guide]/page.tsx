import { notFound } from "next/navigation";
import { isGuideName } from "@/lib/guides";
import { GuidePage } from "../../guide";

type Props = { readonly params: Promise<{ readonly guide: string }> };

export default async function Page({ params }: Props) {
  const { guide } = await params;
  if (!isGuideName(guide) || guide === "start") notFound();
  return <GuidePage name={guide} />;
}
