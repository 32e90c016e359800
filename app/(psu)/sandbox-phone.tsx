import type { Texts } from "@/lib/psu/texts/texts";

type Props = { readonly texts: Texts; readonly userId: string | undefined };

/** The phone of a demo customer; of a real one there is no page. */
export function SandboxPhone({ texts, userId }: Props) {
  if (userId === undefined) return null;
  const href = `/sandbox/phone?psu=${encodeURIComponent(userId)}`;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {texts.frame.sandboxPhone}
    </a>
  );
}
