"""What the shop sells and what its articles say, in six languages. Data, no logic."""

from typing import NamedTuple


class Tongue(NamedTuple):
    """One language of the shop."""

    code: str
    """As in hreflang and in the path."""
    news: str
    """As in a news sitemap."""
    shelf: str
    """Path of products."""
    paper: str
    """Path of articles."""
    firsts: tuple[str, ...]
    """First words of a name."""
    seconds: tuple[str, ...]
    """Second words of a name."""
    titles: tuple[str, ...]
    """Titles and captions, as people write them into databases."""


TONGUES = (
    Tongue(
        "en",
        "en",
        "products",
        "stories",
        ("blue", "quiet", "folding", "north", "winter", "double"),
        ("lamp", "kettle", "bicycle", "notebook", "tent", "chair"),
        ("Made to last", "Salt & pepper", 'The 12" pan', "It's <b>bold</b>", "Ends with ]]> inside", "5 < 6 > 4"),
    ),
    Tongue(
        "de",
        "de",
        "produkte",
        "beiträge",
        ("grüne", "leise", "große", "schöne", "kühle", "weiße"),
        ("lampe", "tür", "schüssel", "bürste", "straße", "höhle"),
        ("Für draußen", "Größe & Gewicht", "„Gut“, sagt man", "Äpfel <b>süß</b>", "Ende ]]> hier", "Weiß & blau"),
    ),
    Tongue(
        "fr",
        "fr",
        "produits",
        "récits",
        ("légère", "bleue", "étroite", "naïve", "dorée", "fraîche"),
        ("théière", "forêt", "lumière", "chaîne", "fenêtre", "pâte"),
        ("L'été à la mer", "Sel & poivre", "« Déjà vu »", "Très <b>léger</b>", "Fin ]]> du texte", "Où ça ?"),
    ),
    Tongue(
        "ja",
        "ja",
        "商品",
        "記事",
        ("青い", "静かな", "冬の", "小さな", "木の", "新しい"),
        ("ランプ", "やかん", "自転車", "手帳", "椅子", "窓"),
        ("長く使える道具", "塩&胡椒", "「いいね」", "とても<b>軽い</b>", "終わり]]>です", "🎁 贈り物に"),
    ),
    Tongue(
        "ar",
        "ar",
        "منتجات",
        "مقالات",
        ("جديد", "هادئ", "صغير", "أزرق", "شتوي", "خفيف"),
        ("مصباح", "إبريق", "كرسي", "دفتر", "باب", "كتاب"),
        ("صنع ليبقى", "ملح & فلفل", "«جيد جدا»", "خفيف <b>جدا</b>", "نهاية ]]> هنا", "هدية 🎁 لك"),
    ),
    Tongue(
        "zh-Hant",
        "zh-tw",
        "商店",
        "文章",
        ("藍色", "安靜", "冬天", "小小", "木製", "全新"),
        ("燈", "茶壺", "單車", "筆記本", "椅子", "窗"),
        ("經久耐用", "鹽 & 胡椒", "「很好」", "非常<b>輕</b>", "結束]]>了", "送禮 👩‍🚀 首選"),
    ),
)
