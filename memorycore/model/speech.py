"""How a sentence is said: plainly, or as a condition, a denial, a question or somebody's words.

Everything is judged by word and on the sentence that holds a span. A sentence falls into clauses,
and a span that covers several is judged by the first that has a subject: "I live in Porto, can you
recommend a café?" says where I live. A condition reaches from its clause to the end of the
sentence or to a "but"; behind a comma it leaves what was said before it alone. A denial reaches
what follows it in its clause.

Judgement calls: wishes in polite form ("I would like", "我希望") are plain; "no longer" is a
denial; "not until", "never without", "can't wait" and "不得不" deny nothing; one's own words
("I said", "我说") are plain; what "she said" is reported, with quotation marks around it quoted.
"""

import re
from typing import NamedTuple

from memorycore.model.sentence import REACH, sentence_around
from memorycore.model.word import fold

__all__ = ["is_negated", "mode_of", "sentence_around"]

_CLAUSE = re.compile(
    r"[,，:：()（）—]+\s{0,4}|\s{1,4}-{1,4}\s{1,4}"
    r"|(?<!nothing)(?<!no one)(?<!nobody)\s{1,4}(?=(?:but|because|although|though|whereas|while|who"
    r"|whose|where|which|when|so that)\b)"
    r"|(?<!think)(?<!believe)(?<!know)(?<!say)(?<!said)(?<!mean)(?<!feel)(?<!wish)(?<!suppose)\s{1,4}"
    r"(?=that (?:i|we|you|he|she|it|they|don't|doesn't|isn't|aren't)\b)"
    r"|\s{1,4}(?=so (?:i|we|he|she|they|it|that)\b)"
    r"|\s{1,4}(?=and (?:i|i'm|i've|we|he|she|they|it|my|not|never|don't|doesn't|didn't|can't|isn't"
    r"|am"
    r"|is"
    r"|are|was|do not|does not|did not|have|has|now|then)\b)"
    r"|(?=但是?|可是|不过|而是|而不是|因为|所以|只是|然而|虽然)"
)
_LISTED = re.compile(r"(?:and|or|nor)?\s*(?:\w+\s*){1,3}$")
_SUBJECT = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|im|we|we're|you|you're|he|he's|she|she's|it|it's|they|they're|my|our"
    r"|his|her|their|this|that|there|there's)\b"
)
_FILLER = re.compile(
    r"(?:其实|不对|更正一下|老实说|说实话|说真的|另外|对了|总之|首先|当然|目前|现在|最近|嗯|哦"
    r"|好的|好吧|是的"
    r"|不是|没有|不|哈哈+|哎|唉|那个"
    r"|然后|还有|顺便说|话说|至于)$"
)
_ANSWER = re.compile(r"\W*(?:no|nope|nah|yes|yeah|yep|yup|well|ok|okay|oh|hm+|sorry|actually)\W*")
_CJK = re.compile("[\u3400-\u9fff]")

_NO_DENIAL = re.compile(
    r"\b(?:not (?:only|just|merely|to mention|until|till|bad|least)|(?:can't|cannot|can not"
    r"|couldn't)"
    r" (?:wait|believe|help|stop|get enough|resist|agree more|be happier|ask for|thank|recommend"
    r"|say enough|imagine|live without|do without|go without)|(?:no|without|never a) (?:doubt"
    r"|wonder"
    r"|problem|worries|question|matter|kidding|joke)|nothing (?:but|beats|better|like)"
    r"|no one but|nobody but|none other|no less|no sooner|why not|why don't (?:we|you)|if not"
    r"|or not"
    r"|(?:never|won't|don't|not|didn't) give up|don't (?:get me wrong|worry|forget|mind|you)"
    r"|didn't (?:you|i)|never mind|never fails"
    r"|never (?:been|felt) (?:so|more|better|happier)|not that i mind|whether or not|no way around"
    r"|not a (?:day|week|month) (?:goes|passes)|no later than|no\. ?(?=\d)|no (?=\d))"
    r"|^\W*(?:no|nope|nah)(?=[,.! ]\s*(?:i|we|my|it|she|he|they|that)\b)"
    r"|^\W*(?:no|nope|nah)(?=[,:]\s*(?:wait|sorry|please|just|actually|rather|call me|make it)\b)"
    r"|(?:不但|不仅|不只|不光|不止|不单|不过|不错|不久|不断|不得不|不能不|不会不|不可不|无不|不管"
    r"|不论|无论|不妨|不愧|不禁|不由"
    r"|不时|不同|不少|不知不觉|不好意思|不客气|不用谢|不用说|不得了|要不然|要不|不然|不如|对不起"
    r"|差不多|了不起|不料|不可思议"
    r"|不约而同|不亦乐乎|不外乎|不愧是|不可或缺|必不可少|离不开|忍不住|禁不住|少不了|免不了"
    r"|停不下来|好不容易|不锈钢|不动产"
    r"|不见不散|不要紧|不二|巴不得|恨不得|受不了|来不及|不到|不足|不满\d|非常|非得|除非|是非|非洲"
    r"|无锡|无聊|无奈|无线|无限"
    r"|没关系|没事|没问题|没错|没想到|没准|没意思|没收|没落|没多久|没过多久|没几[天年个]|没日没夜"
    r"|没完没了|有没有|沉没|淹没"
    r"|埋没|出没|怪不得|说不定|不一会|动不动|不小心|不经意|不自觉|不远|不舒服|不开心|不高兴"
    r"|不习惯于|没法不|不是不|没有不"
    r"|不停|不已|不变|不一样|不亚于|不下|不仅仅|不知怎|不知道为什么|毫不犹豫|不顾|不懈|看不起"
    r"|不理想|不容易|不在话下|不会吧|到不行|[再最]\S{1,4}不过)"
    r"|非.{1,8}不可|没有.{1,6}不|(.)[不没]\1"
)
_DENIAL = re.compile(
    r"\b(?:not|cannot|never|nobody|nothing|none|neither|nor|no|hardly ever|hardly|no longer"
    r"|dont|doesnt|didnt|isnt|wasnt|havent|hasnt|arent|cant|wont|ain't"
    r"|(?:do|does|did|is|are|was|were|have|has|had|ca|could|wo|would|should|must|need)n't)\b"
    r"|[不没](?![\u3400-\u9fff]?[吗?？])|从未|未曾|尚未|并未|还未|未能|毫无|并无|并非|无法|无意"
    r"|(?<=[你请,，])别(?![人的墅扭])|^别(?![人的墅扭])"
)
_VERBAL = re.compile(
    r"n't|never|no longer|\b(?:am|is|are|was|were|do|does|did|have|has) not\b|[不没未]"
)

_IF = re.compile(
    r"\b(?:if|suppose|supposing|imagine|assuming|unless|provided that|hypothetically|pretend"
    r"|were i to|in case|what if|if only|whether)\b"
    r"|(?:如果(?![汁酱冻](?:[、和或及等,，]|$))|(?<![主重需只首不想还])要是|假如|假设|假使|假若"
    r"|倘若|若是|如若|除非|(?<!不)想象一下|想象自己"
    r"|(?<![\d一二三四五六七八九十两几])万一|但愿|恨不得|要不是|有朝一日"
    r"|(?:也许|或许|说不定|可能)(?:有一天|哪天|某天|以后|将来))"
)
_IF_NOTHING = re.compile(
    r"\bas if\b|\bif (?:not|any|ever|possible|needed|necessary|so|anything|i may"
    r"|i'm (?:being )?honest"
    r"|i am honest|you ask me|you will|you don't mind|you like|that's ok|that's okay|that helps"
    r"|you(?:'re| are) (?:curious|interested|wondering)|i remember (?:correctly|right|well)"
    r"|memory serves)\b"
    r"|\b(?:don't|dont|can't|can) (?:even )?imagine\b|\bi (?:suppose|imagine)\b"
    r"|\bsupposed?\b(?= to)|(?<=[比例不诸譬])如果"
)
_ASKED_IF = re.compile(
    r"\b(?:know|see|check|ask|asked|asking|wonder|wondering|wondered|sure|tell|said|say|find out"
    r"|decide)\s+$"
)
_WOULD = re.compile(
    r"\b(?:would|wouldn't)\b(?! (?:also |really |still |rather |much )?(?:like|love|prefer|rather"
    r"|recommend|suggest|say"
    r"|appreciate|enjoy)\b)(?<!rather would)|\b(?:could|should|might) have\b|\bwere to\b"
    r"|\bi'd (?:be|have|live|move|buy|do|go|get|work"
    r"|take|make|want|need|never|probably|maybe|definitely)\b"
    r"|\bwish(?:es|ed)? (?:that )?(?:i|we|he|she|they|it|my|there)\b"
    r"|\b(?:maybe|perhaps|possibly)\b[^,.]{0,40}\b(?:one day|some day|someday)\b"
    r"|\b(?:one day|some day|someday)\b[^,.]{0,12}\b(?:i'll|i will|i might|i may|i'd|maybe|perhaps"
    r"|we'll|we might)\b"
)
_IF_SO = re.compile(
    r"(?<![说讲我你您他她们妈爸师人板导生友听])(?<!周末)(?<!平时)(?<!早上)(?<!晚上)(?<!最近)(?<!目前)(?<!工作)的话"
    r"(?=\s*(?:[,，。.!?！？;；]|$|我|你|就|会|那|可以))"
)
_BUT = re.compile(r"(?:\bbut\b|\bhowever\b|但是?|不过|可是|其实)")

_ASKS = re.compile(
    r"^\W*(?:(?:so|and|but|well|hey|ok|okay|oh|wow|hmm|wait|also)[, ]+){0,2}(?:what|what's|where"
    r"|where's|when|who|who's"
    r"|whom|whose|which|why|how|how's|do|does|did|is|are|am|was|were|can|could|will|would|shall"
    r"|should|may|might|have"
    r"|has|had|isn't|aren't|don't|doesn't|didn't|won't|can't|couldn't|wouldn't|any|anyone"
    r"|anything)\b"
)
_ZH_WH = re.compile(
    "什么|哪[里儿个些位]?|谁|怎么|为何|如何|几[个点岁号月时]|多少|多[大久长远高]|啥"
)
_ZH_ASKS = re.compile(
    r"(?:吗|嘛(?=\?)|么(?<!什么)(?<!怎么)(?<!那么)(?<!这么)(?<!多么)(?=\W*$))\W*$|吗[,，]"
    r"|(?<!不管)(?<!不论)(?<!无论)(?<!知道)(?:是不是|有没有|能不能|要不要|会不会|好不好|对不对"
    r"|可不可以|行不行|想不想|喜不喜欢)"
)
_ZH_NE = re.compile(r"呢\W*$")
_TAG = re.compile(
    r"^\W*(?:right|isn't it|is it|don't you|aren't you|correct|is that right|对吧|对吗|是吧|是吗"
    r"|不是吗|对不对|没错吧)\W*$"
)

_SAYS = (
    r"(?:said|says|say|told (?:me|us|him|her|them|everyone)|tells (?:me|us)|claims?|claimed"
    r"|mentioned|insists?|insisted"
    r"|thinks?|believes?|wrote|writes|replied|asked|explained|announced)"
)
_OTHER = (
    r"(?:he|she|they|you|people|everyone|everybody|someone|somebody"
    r"|my [a-z]{2,14}(?: [a-z]{2,14})?|the (?:doctor|teacher"
    r"|boss|manager|news|article|book|assistant|agent|model|weather))"
)
_REPORT = re.compile(
    rf"(?<!what )(?<!how )(?<!as )\b{_OTHER} (?:\w{{3,8}}ly |just |always |once "
    rf"|also )?{_SAYS}(?! (?:hi|hello|hey|thanks"
    rf"|sorry|bye|goodbye|yes|no)\b)\b"
    r"|\b(?:apparently|supposedly|allegedly|reportedly|rumor has it|rumour has it|i heard"
    r"|i've heard|i hear|i was told|according to)\b"
)
_NAMED = re.compile(
    rf"\b(?!I\b|We\b)[A-Z][a-z]{{1,14}} (?:just |also |once )?{_SAYS} (?!hi\b|hello\b)"
)
_REPORT_AFTER = re.compile(
    rf"[,，\"”]\s*(?:{_OTHER} {_SAYS}|{_SAYS} {_OTHER}|[a-z]{{2,14}} said)(?: (?:today|yesterday"
    rf"|again|once|too|then|earlier))?\W*$"
)
_ZH_OTHER = (
    r"(?:[他她它]们?|有人|别人|人家|大家|网上|新闻|书上|医生|大夫|老师|老板|上司|领导|经理|同事"
    r"|同学|室友|朋友|邻居|客户|老婆|老公|妻子"
    r"|丈夫|媳妇|男友|女友|男朋友|女朋友|爸爸?|妈妈?|父亲|母亲|爷爷|奶奶|外公|外婆|哥哥?|姐姐?"
    r"|弟弟?|妹妹?|儿子|女儿|孩子|叔叔|阿姨|舅舅|舅妈|姑姑"
    r"|表[哥姐弟妹]|[小老阿][\u4e00-\u9fff])"
)
_ZH_REPORT = re.compile(
    rf"{_ZH_OTHER}(?:刚|刚刚|之前|昨天|今天|总|总是|老是|常|常常|也|都|还|跟我|对我"
    rf"|跟我们){{0,2}}(?:说过?(?![话明法服不起走谎来])|告诉[我我们]|表示|认为|声称|提到|写道)"
    r"|据说|听说|据报道|传说中?|据[^,，。]{1,8}(?:介绍|透露|说|报道)"
    r"|(?<![为对跟向给和是])你(?:刚才|刚刚|之前|上次|昨天)?说过?(?![话明法服不起走谎来])"
)
_OPENING = {"“": "”", "「": "」", "『": "』", "‘": "’"}
_MARK = re.compile('["“”「」『』‘’]')
_OWN = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:said|say|told|wrote|replied|asked|answered|mean|call)\b"
    r"|我[^,，。]{0,4}(?:说|告诉|写|回答|叫|想)"
)
_CLAUSE_WORDS = re.compile(
    r"\b(?:i|i'm|i've|we|you|he|she|they|it's|my|is|are|was|have|don't)\b|[我你他她们是在了]"
)


class _Sentence(NamedTuple):
    text: str
    clauses: list[tuple[int, int]]
    start: int
    end: int
    """The span, relative to the sentence."""
    head: int
    """The number of the clause that the span is judged by."""
    first: int
    """Where the sentence begins in its text."""


def mode_of(text: str, start: int, end: int) -> str | None:
    """Say how the statement at a span is said; None when it is said plainly.

    One of 'quoted', 'reported', 'hypothetical', 'question' and 'negated', the first that holds: a
    caller who lets a denial pass has been told of everything else.
    """
    quoted = _quoted(text, start, end)
    if quoted:
        return quoted
    said = _sentence(text, start, end)
    if _is_reported(text, said, start, end):
        return "reported"
    if _is_hypothetical(said):
        return "hypothetical"
    if _is_question(said):
        return "question"
    return "negated" if _denied(said) else None


def is_negated(text: str, start: int, end: int) -> bool:
    """Say whether the statement at a span is denied, whatever else is true of its sentence."""
    return _denied(_sentence(text, start, end))


def _sentence(text: str, start: int, end: int) -> _Sentence:
    first, last = sentence_around(text, start, end)
    # Folding may change the length of a prefix, so the span is folded in three parts.
    before, inside, after = (
        fold(part).replace("’", "'")
        for part in (text[first:start], text[start:end], text[end:last])
    )
    whole = before + inside + after
    clauses: list[tuple[int, int]] = []
    at = 0
    for found in _CLAUSE.finditer(whole):
        if found.start() > at:
            clauses.append((at, found.start()))
        at = max(at, found.end())
    if at < len(whole) or not clauses:
        clauses.append((at, len(whole)))
    begin, stop = len(before), len(before) + len(inside)
    return _Sentence(whole, clauses, begin, stop, _head(whole, clauses, begin, stop), first)


def _head(text: str, clauses: list[tuple[int, int]], start: int, end: int) -> int:
    covered = [
        number
        for number, (first, last) in enumerate(clauses)
        if first < max(end, start + 1) and last > start
    ] or [len(clauses) - 1]
    said = []
    for number in covered:
        first, last = clauses[number]
        words = text[max(start, first) : min(end, last)].strip(" .!?。！？")
        if _SUBJECT.search(words) or (_CJK.search(words, 2) and not _FILLER.match(words)):
            return number
        if not (_ANSWER.fullmatch(words) or _FILLER.match(words)):
            said.append(number)
    return (said or covered)[0]


def _denied(said: _Sentence) -> bool:
    first, last = said.clauses[said.head]
    number = said.head
    while number and _continues(said.text[slice(*said.clauses[number])]):
        number -= 1
        first = said.clauses[number][0]
    clause = said.text[first:last]
    plain = _NO_DENIAL.sub(lambda found: "_" * len(found[0]), clause)
    if re.search(r"\b(?:until|till|without)\b", plain):
        return False
    end = max(said.end, said.start + 1) - first
    for found in _DENIAL.finditer(plain):
        if found.start() < end:
            return True
        before = plain[: found.start()]
        verbal = _VERBAL.search(plain, max(0, found.start() - 8), found.end())
        if (
            verbal
            and not before.endswith(("而", "是"))
            and plain[found.start() : found.end() + 1] != "不是"
        ):
            return True
    return False


def _continues(clause: str) -> bool:
    words = clause.strip(" .!?。！？,，")
    if _CJK.search(words):
        return len(words) <= 4 and not re.search(
            "[我你他她是在有了爱住去要会也还就都不没]|喜欢", words
        )
    return (
        not _SUBJECT.search(words)
        and len(words) < 30
        and bool(_LISTED.fullmatch(words))
        and not (
            re.match(
                r"(?:but|because|not|so|now|only|just|who|where|when|which|while|live|lives|living"
                r"|moving|working|using|went|got|have|had|am|is|was|use|like|love|prefer|drink|eat"
                r"|\w+ed)\b",
                words,
            )
        )
    )


def _is_hypothetical(said: _Sentence) -> bool:
    text = _IF_NOTHING.sub(lambda found: "_" * len(found[0]), said.text)
    first, last = said.clauses[said.head]
    first = min(first, said.start)
    for found in _IF.finditer(text):
        lead = text[max(0, found.start() - 20) : found.start()]
        if found.start() >= said.end and _ASKED_IF.search(lead):
            continue
        if found.start() < last:
            if not _BUT.search(text, found.end(), max(found.end(), first)):
                return True
        elif text[last : min(found.start(), last + 8)].strip(" ,，") or found.start() > last + 8:
            break
        else:
            return found[0].isascii()
    for found in _IF_SO.finditer(text):
        if found.start() >= first and found.start() <= last:
            return True
        if found.start() < first and not _BUT.search(text, found.end(), max(found.end(), first)):
            return True
    return _WOULD.search(text, first, last) is not None


def _is_question(said: _Sentence) -> bool:
    first, last = said.clauses[said.head]
    clause = said.text[first:last]
    mark = said.text.rstrip(" \t\r\n\"'”’」』)!").endswith("?")
    final = said.head == len(said.clauses) - 1
    if _ZH_ASKS.search(said.text[first : last + 1]):
        return True
    if final and _ZH_NE.search(clause):
        return mark or bool(_ZH_WH.search(clause)) or "你" in clause or len(clause) <= 5
    if not mark:
        return False
    if final or _ASKS.match(clause) or _ZH_WH.search(clause):
        return True
    rest = said.text[last:].strip(" ,，")
    return _TAG.match(rest) is not None and re.search(r"\b(?:i|i'm|my|we)\b|我", clause) is None


def _is_reported(text: str, said: _Sentence, start: int, end: int) -> bool:
    last = said.clauses[said.head][1]
    for pattern in (_REPORT, _ZH_REPORT):
        for found in pattern.finditer(said.text, 0, last):
            begin = max(said.start, said.clauses[said.head][0])
            if not _BUT.search(said.text, found.end(), max(found.end(), begin)):
                return True
    if _REPORT_AFTER.search(said.text, min(said.end, last)):
        return True
    named = _NAMED.search(text, said.first, end)
    return named is not None and not _BUT.search(text, named.end(), max(named.end(), start))


def _quoted(text: str, start: int, end: int) -> str | None:
    """Say 'quoted' of a span that lies inside quotation marks and is another's statement."""
    first = max(text.rfind("\n", 0, start) + 1, start - REACH)
    opened = _opened(text, first, start)
    if opened is None:
        return None
    mark, at = opened
    close = text.find(mark, end, end + REACH)
    if close < 0 or "\n" in text[end:close]:
        return None
    inside = fold(text[at + 1 : close])
    before, after = fold(text[max(first, at - 60) : at]), fold(text[close + 1 : close + 40])
    if _OWN.search(before) and not re.search(rf"\b{_OTHER} {_SAYS}|[他她]", before):
        return None
    says = re.search(rf"\b{_SAYS}\b|说|道|写|问|答|告诉", before + " " + after)
    return "quoted" if says or _CLAUSE_WORDS.search(inside) else None


def _opened(text: str, first: int, start: int) -> tuple[str, int] | None:
    """Find the quotation mark that is open at a place: its closing mark, and where it stands."""
    stack: list[tuple[str, int]] = []
    for found in _MARK.finditer(text, first, start):
        char, at = found[0], found.start()
        if stack and char == stack[-1][0]:
            stack.pop()
        elif char == '"':
            stack.append(('"', at))
        elif char in _OPENING:
            stack.append((_OPENING[char], at))
    return stack[-1] if stack else None
