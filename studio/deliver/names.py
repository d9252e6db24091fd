"""How the files of a variant are called."""

from dataclasses import dataclass

from studio.deliver import captions

__all__ = ["MANIFEST", "Names"]

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Names:
    """Paths relative to the folder of a variant, whose name is `variant`."""

    variant: str

    @property
    def film(self) -> str:
        """The whole act."""
        return f"{self.variant}.mp4"

    @property
    def cues(self) -> str:
        """The cue sheet."""
        return f"{self.variant}.cues.json"

    @property
    def poster(self) -> str:
        """The film's poster."""
        return f"{self.variant}.poster.png"

    def clip(self, beat: str) -> str:
        """The clip of a beat."""
        return f"clips/{self.variant}-{beat}.mp4"

    def picture(self, beat: str, which: str) -> str:
        """The first or last picture of a beat, as `which` says."""
        return f"clips/{self.variant}-{beat}.{which}.png"

    def subtitles(self, language: str, kind: str) -> str:
        """Subtitles as "vtt" or "srt"."""
        return f"{self.variant}.{captions.tag(language)}.{kind}"

    def transcript(self, language: str) -> str:
        """The words of the act."""
        return f"{self.variant}.transcript.{captions.tag(language)}.md"
