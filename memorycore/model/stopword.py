"""Words that say how a question is built, not what it is about. Forms are folded.

A question made of nothing else keeps them all: then they are what was asked for.
"""

ENGLISH = frozenset(
    """
    a about after again all also am an and any are aren as at be because been before being both but
    by can could d did didn do does doesn doing don down during each ever few for from further get
    getting give got had has hasn have haven having he her here hers herself him himself his how
    however i if in into is isn it its itself just ll m many may me might mine more most much must
    my myself no nor not now of off on once only or other our ours out over own please re s same
    she should shouldn so some such t tell than that the their theirs them themselves then there
    these they this those to too under until up us ve very was wasn we were weren what when where
    which while who whom whose why will with won would wouldn you your yours yourself
    """.split()
)

HAN_CHARACTERS = frozenset(
    "的了在是我你您他她它们有和与及或就都而着也不没这那么吗呢吧啊呀嘛为被把从到对以于其之请问谁哪几个"
)
"""A pair made of two of these says nothing."""

HAN_PAIRS = frozenset(
    """
    我们 你们 他们 她们 它们 咱们 没有 这个 那个 这些 那些 这里 那里 一个 一些 什么 怎么 怎样 如何
    哪里 哪儿 哪个 哪些 哪位 多少 为了 为什 关于 时候 请问 可以 能否
    曾经 何时 何地 是否 但是 因为 所以 如果 那么
    告诉 知道 还是 或者 以及 已经 现在
    """.split()
)

GREETINGS = frozenset(
    """
    hello hi hey hiya yo thanks thank bye goodbye ok okay
    你好 您好 早安 晚安 谢谢 再见 哈喽 嗨 早上好 晚上好
    """.split()
)
"""Said alone these ask for nothing: a greeting must not call up memories."""
