import { Detail } from "@/components/detail";
import { Term } from "@/components/terms";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import type { Texts } from "@/lib/psu/texts/texts";

type Props = { readonly texts: Texts; readonly tpp: Tpp; readonly label?: string };

/** Who asks, as its certificate has it: name, registration number, authority. */
export function TppTerm({ texts: { quoted, tpp: words }, tpp, label = words.who }: Props) {
  return (
    <Term label={label}>
      <strong>
        <bdi>{quoted(tpp.name)}</bdi>
      </strong>
      <Detail>{words.registration(tpp.id)}</Detail>
      <Detail>{words.authority(tpp.authorityName, tpp.authorityId)}</Detail>
    </Term>
  );
}
