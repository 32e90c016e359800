import type { Tpp } from "@/lib/domain/tpp/tpp";
import type { Texts } from "@/lib/psu/texts/texts";

type Props = { readonly texts: Texts; readonly tpp: Tpp; readonly label?: string };

/** Who asks, as its certificate has it: name, registration number, authority. */
export function TppTerm({ texts: { tpp: words }, tpp, label = words.who }: Props) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <strong>{tpp.name}</strong>
        <span className="detail">{words.registration(tpp.id)}</span>
        <span className="detail">{words.authority(tpp.authorityName, tpp.authorityId)}</span>
      </dd>
    </>
  );
}
