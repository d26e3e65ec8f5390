/// The words of everyday English and of everyday talk about programs. A word of these is heard rightly often enough that
/// it is never changed for sounding like something else.
package enum OrdinaryWords {
  /// Whether a word, or what it is inflected from, is an ordinary one. Letter case does not count.
  package static func contains(_ word: some StringProtocol) -> Bool {
    isKnown(word) { root in
      everyday.contains(root) || trade.contains(root)
        || prefixes.contains { root.hasPrefix($0) && everyday.contains(String(root.dropFirst($0.count))) }
    }
  }

  /// Whether it is a word of everybody, not only of those who write programs.
  package static func isEveryday(_ word: some StringProtocol) -> Bool { isKnown(word) { everyday.contains($0) } }

  private static func isKnown(_ word: some StringProtocol, _ isRoot: (String) -> Bool) -> Bool {
    let parts = word.lowercased().split { $0 == "'" || $0 == "\u{2019}" }
    // "don't" is one word, "user's" is a form of another.
    if parts.count > 1, isRoot(parts.joined()) { return true }
    let word = String(parts.first ?? "")
    if word.count < 3 || isRoot(word) || NumberWords.isNumberWord(word) { return true }
    // "settings" comes from "setting", and that from "set".
    return stems(of: word).contains { stem in isRoot(stem) || stems(of: stem).contains(where: isRoot) }
  }

  private static let prefixes = ["un", "re", "non", "pre", "mis", "sub", "over"]

  /// What an inflected word may come from: "stopped" from "stop", "tries" from "try".
  private static func stems(of word: String) -> [String] {
    var stems: [String] = []
    for (ending, replacements) in endings where word.hasSuffix(ending) && word.count > ending.count + 1 {
      let stem = word.dropLast(ending.count)
      stems += replacements.map { stem + $0 }
      if ending != "s", let last = stem.last, stem.dropLast().last == last { stems.append(String(stem.dropLast())) }
    }
    return stems
  }

  private static let endings: [(String, [String])] = [
    ("s", [""]), ("es", ["", "e"]), ("ies", ["y"]), ("ed", ["", "e"]), ("ied", ["y"]), ("ing", ["", "e"]),
    ("er", ["", "e"]), ("ers", ["", "e"]), ("or", ["", "e"]), ("ors", ["", "e"]), ("est", ["", "e"]),
    ("ly", ["", "le"]),
    ("ally", ["", "al"]), ("ily", ["y"]), ("ness", [""]), ("ful", [""]), ("less", [""]), ("able", ["", "e"]),
    ("ment", [""]), ("ments", [""]), ("ion", ["", "e"]), ("ions", ["", "e"]), ("ation", ["", "e"]),
    ("ations", ["", "e"]), ("al", [""]), ("ity", ["", "e"]), ("ier", ["y"]), ("iest", ["y"]), ("ish", [""]),
    ("y", [""]),
  ]

  private static let everyday: Set<String> = Set(everydayText.split(whereSeparator: \.isWhitespace).map(String.init))
  private static let trade: Set<String> = Set(tradeText.split(whereSeparator: \.isWhitespace).map(String.init))

  private static let everydayText = """
    the a an and or but if then else when while because so as than that this these those there here where who whom whose
    what which why how not no nor yes yeah okay please thanks thank hello hi hey sorry well oh just only also too very
    quite rather really almost already always never ever often sometimes usually again still yet even once twice maybe
    perhaps soon later now today tomorrow yesterday tonight ago before after during until since first last next previous
    of in on at by for from to into onto out over under above below between among through across along around about
    against toward towards behind beside besides beyond within without with near off up down away back forth inside
    outside upon per via like unlike except despite instead
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them their theirs themselves one ones someone somebody something anyone anybody anything everyone
    everybody everything nobody nothing none each every either neither both all any some few many much more most less
    least several other others another such same own enough half whole
    be am is are was were been being have has had having do does did done doing can could will would shall should may
    might must ought cannot wont dont doesnt didnt isnt arent wasnt werent cant couldnt wouldnt shouldnt hasnt havent
    hadnt lets im ive ill id youre youve youll theyre weve thats whats heres theres
    accept access account achieve act action active actual add address adjust admin admit advance advice affect afford
    afraid age agent agree aim air alarm album alert alive allow alone aloud alphabet alter amaze amount angle angry animal
    announce annoy answer apart apartment apologize apparent appeal appear apple apply approach appropriate approve
    april area argue argument arm army arrange arrive art article ask asleep aspect assign assist assume attach attack
    attempt attend attention attitude attract audience august aunt author authority auto automatic available average avoid
    awake aware awful awkward baby background bad bag bake balance ball band bank bar bare barely base basic basis basket
    bath battery battle beach bean bear beat beautiful become bed bedroom beer begin began begun behave believe bell belong
    belt bench bend benefit best bet better big bike bill bird birth birthday bit bite black blame blank blanket blind block
    blood blow blue board boat body boil bold bomb bone book boot border bore boring born borrow boss bother bottle bottom
    bought bounce bound bowl box boy brain branch brand brave bread break breakfast breath breathe brick bridge brief bright
    bring broad broke broken brother brought brown brush bubble budget bug build built bulk bump bunch bundle burn burst bus
    business busy button buy bye cake calculate calendar call calm came camera camp cancel candle candy cap capable capital
    captain capture car card care career careful carpet carry case cash cat catch category caught cause caution ceiling
    celebrate cell center central century certain chain chair challenge champion chance change channel chapter character
    charge chart cheap cheat check cheer cheese chest chicken chief child children chip chocolate choice choose chop chose
    chosen church circle city claim class classic clean clear clerk clever click client climb clock close cloth clothes
    cloud club clue coach coast coat code coffee cold collapse collect college color colour column comb combine come comfort
    comma command comment commit common communicate community company compare compete complain complete complex complicate
    component compute computer concept concern conclude condition conduct confidence confirm conflict confuse connect
    conscious consider consist consistent constant construct contact contain content contest context continue contract
    contrast contribute control conversation convert convince cook cookie cool copy corner correct cost cotton couch cough
    could count counter country county couple courage course court cousin cover cow crack craft crash crazy cream create
    credit crew crime crisis criteria critical cross crowd cry culture cup cure curious current curtain curve custom
    customer cut cute cycle dad daily damage dance danger dangerous dare dark data database date daughter day dead deal dear
    death debate debt december decide decision declare decrease deep deer default defeat defend define definite degree delay
    delete deliver demand demonstrate deny depend depth describe desert deserve design desire desk despair dessert destroy
    detail detect determine develop device devil diamond die diet differ difference different difficult dig digit dinner
    direct direction director dirt dirty disagree disappear disappoint disaster discover discuss disease dish disk dislike
    dismiss display distance distinct district divide doctor document dog dollar domain door dot double doubt dough dozen
    draft drag drama draw drawn dream dress drew drink drive driver drop drove drug drum dry duck due dull dust duty each
    eager ear early earn earth ease east easy eat economy edge edit editor educate effect effective efficient effort egg
    elect electric element elephant eleven else email embarrass emerge emotion emphasis employ empty enable encounter
    encourage end enemy energy engage engine engineer enjoy enormous ensure enter entire entrance entry environment equal
    equipment error escape especially essay essential establish estate estimate evaluate evening event eventual evidence
    evil exact exam examine example excellent except exchange excite excuse execute exercise exist exit expand expect
    expense expensive experience experiment expert explain explode explore export expose express extend extent external
    extra extract extreme eye face facility fact factor factory fade fail failure fair faith fall false familiar family
    famous fan fancy fantastic far farm fashion fast fat fate father fault favor favorite favourite fear feature february
    fed fee feed feedback feel feet fell felt female fence festival fever fiction field fight figure file fill film filter
    final finance find fine finger finish fire firm fish fit fix flag flame flash flat flavor flew flight flip float flood
    floor flour flow flower fly focus fold folder folk follow food fool foot football force foreign forest forever forget
    forgive forgot fork form formal format former formula fortune forward fought found foundation four frame framework free
    freedom freeze frequent fresh friday friend friendly frog front frozen fruit fuel full fun function fund funny furniture
    further future gain game gap garage garbage garden gas gate gather gauge gave gear general generate generation gentle
    genuine get gift girl give glad glance glass global glove glue go goal goat god gold gone good got govern government
    grab grade gradual graduate grain grammar grand grant grape graph grass grateful grave gray great green greet grew grey
    grid grocery ground group grow guarantee guard guess guest guide guilty guitar gun guy habit hair hall hand handle hang
    happen happy harbor hard hardly harm hat hate head health hear heard heart heat heaven heavy height held help hence
    hidden hide high highlight hill hint hire history hit hobby hold hole holiday home honest honey hook hope horizon
    horrible horse hospital host hot hotel hour house however huge human humor hundred hung hungry hunt hurry hurt husband
    ice idea ideal identify identity ignore ill image imagine immediate impact implement imply import important impose
    impossible impress improve inch incident include income increase indeed independent index indicate individual industry
    infant influence inform information initial injury ink inner innocent input inquiry insect insert insist inspect
    inspire install instance instant instruction instrument insurance integrate intelligent intend intense intent interest
    internal internet interpret interrupt interview introduce invent invest investigate invite involve iron island issue
    item jacket jail jam january jar jazz jealous job join joint joke journal journey joy judge juice july jump june jungle
    junior jury justice justify keen keep kept key keyboard kick kid kill kind king kiss kit kitchen knee knew knife knock
    know knowledge known label labor lack lady lake lamp land landscape lane language lap large laser late latter laugh
    launch law lawyer lay layer layout lazy lead leader leaf leak lean learn lease leather leave lecture led left leg legal
    lemon lend length lesson let letter level liberal library license lie life lift light like likely limit line link lion
    lip liquid list listen literal little live load loan local locate lock log logic lonely long look loop loose lose loss
    lost lot loud love low loyal luck lucky lunch lung machine mad magazine magic mail main maintain major make male man
    manage manner manual map march mark market marry mask mass massive master match mate material math matter maximum may
    maybe meal mean meant measure meat mechanic media medical medicine medium meet member memory men mental mention menu
    merge merry mess message met metal method middle midnight mild mile milk mill million mind minimum minor minute mirror
    miss mission mistake mix mobile mode model moderate modern modify module mom moment monday money monitor monkey month
    mood moon moral more morning mother motion motor mountain mouse mouth move movie mud multiple murder muscle museum music
    mystery nail naked name narrow nation native natural nature neat necessary neck need negative neighbor neighbour nerve
    nervous nest net network neutral never new news newspaper nice night nobody node noise normal north nose note notebook
    notice notion november novel nowhere nuclear number nurse nut object observe obtain obvious occasion occupy occur ocean
    october odd offer office officer official often oil old onion online open operate opinion opponent opportunity oppose
    opposite option orange order ordinary organ organize origin original otherwise ought outcome outer output oven overall
    overcome override owe owner pace pack package page paid pain paint pair palace pale pan panel panic paper paragraph
    parallel parent park part participate particular partner party pass passage passenger passion password past paste path
    patient pattern pause pay peace peach peak pen pencil penny people pepper percent perfect perform period permanent
    permission permit person personal perspective persuade pet phase phone photo phrase physical piano pick picture pie
    piece pig pile pill pilot pin pink pipe pitch pizza place plain plan plane planet plant plastic plate platform play
    pleasant please pleasure plenty plot plug plus pocket poem poet point poison pole police policy polite politics poll
    pool poor pop popular population port position positive possess possible post pot potato potential pound pour poverty
    powder power practical practice praise pray precise predict prefer prefix pregnant prepare presence present preserve
    president press pressure pretend pretty prevent price pride priest primary prime prince princess principal principle
    print prior priority prison private prize probable probably problem proceed process produce product profession profile
    profit program progress project promise promote prompt proof proper property proposal propose prospect protect protest
    proud prove provide public publish pull pulse punch punish purchase pure purple purpose push put puzzle quality quantity
    quarter queen query question queue quick quiet quit quite quote rabbit race radio rail rain raise ran random range rank
    rapid rare rate ratio raw reach react read ready real realize rear reason recall receive recent recipe recognise
    recognize recommend record recover red reduce refer reference reflect refuse regard region register regret regular
    reject relate relation relative relax release relevant reliable relief religion rely remain remark remember remind
    remote remove rent repair repeat replace reply report repository represent request require rescue research reserve
    reset resident resist resolve resort resource respect respond response responsible rest restaurant restore restrict
    result retain retire retry return reveal revenue reverse review revise reward rhythm rice rich rid ride right ring rise
    risk river road rob rock role roll roof room root rope rose rough round route routine row royal rub rude rugby ruin rule
    run rush sad safe safety said sail salad salary sale salt sample sand sandwich sat satisfy saturday sauce save saw say
    scale scan scare scene schedule scheme school science scope score scream screen screw script sea search season seat
    second secret section secure see seed seek seem seen segment select self sell send senior sense sensible sensitive sent
    sentence separate september sequence series serious serve server service session set settle seven severe sew shade
    shadow shake shall shallow shame shape share sharp she shed sheep sheet shelf shell shelter shift shine ship shirt shock
    shoe shoot shop shore short shot shoulder shout show shower shut shy sick side sight sign signal silence silent silk
    silly silver similar simple simply sin sing single sink sir sister sit site situation six size skill skin skip sky slave
    sleep slice slide slight slip slow small smart smash smell smile smoke smooth snake snap snow social society sock soft
    software soil soldier sole solid solution solve song sophisticated sort soul sound soup source south space spare speak
    special specific speech speed spell spend spent spin spirit spite split spoke spoken sport spot spray spread spring
    square stable staff stage stair stake stand standard star stare start state statement station status stay steady steal
    steam steel steep steer stem step stick stiff still stir stock stomach stone stood stop storage store storm story
    straight strange stranger strategy stream street strength stress stretch strict strike string strip stroke strong
    structure struggle student studio study stuff stupid style subject submit substance succeed success suck sudden suffer
    suffix sugar suggest suit sum summary summer sun sunday super supper supply support suppose sure surface surprise
    surround survey survive suspect suspend swear sweat sweep sweet swim swing switch symbol sympathy system table tail
    take taken tale talent talk tall tank tap tape target task taste taught tax taxi tea teach team tear technical technique
    technology teeth telephone television tell temperature temple temporary ten tend tennis tension term terrible test text
    theme theory therefore thick thief thin thing think third thirst thorough though thought thousand thread threat three
    threw throat throw thumb thursday thus ticket tidy tie tiger tight till time tin tiny tip tire tired title toast toe
    together toilet told tomato tone tongue tool tooth top topic total touch tour tower town toy trace track trade tradition
    traffic trail train transfer transform transition translate transport trap travel treat treatment tree trend trial trick
    trigger trip trouble truck true trunk trust truth try tube tuesday tune tunnel turn twelve twenty twist two type typical
    ugly ultimate umbrella unable uncle understand understood unfortunate uniform union unique unit universe university
    unknown unless until unusual update upgrade upper upset urban urge urgent usage use useful user usual valley valuable
    value variable variety various vary vast vegetable vehicle verify version vertical vessel victim victory video view
    village violent virtual vision visit visual vital voice volume vote wage wait wake walk wall want war warm warn wash
    waste watch water wave way weak wealth weapon wear weather web website wednesday week weekend weigh weight weird welcome
    went west wet whatever wheel whenever wherever whether whichever white whoever wide wife wild will win wind window wine
    wing winner winter wipe wire wise wish woke woman women wonder wonderful wood word work world worm worry worse worst
    worth wound wrap write written wrong wrote yard year yellow yet young youth zero zone
    """

  private static let tradeText = """
    algorithm annotation api app append array assembly assert assertion async attribute audio authenticate authentication
    await backend backup baseline batch benchmark binary bitmap boolean bootstrap breakpoint browser buffer byte cache
    callback checkout checksum chunk class clause closure cluster codebase coder collection compile compiler compress config
    configuration configure constructor container controller coroutine coverage cursor daemon dashboard deadline deadlock
    debug debugger decode decoder decrypt dependency deploy deployment deprecate descriptor dictionary diff directory docs
    download driver dump dynamic echo encode encoder encrypt endpoint entity enum enumerate environment equality exception
    executable expression extension fallback fetch fixture flaky float formatter frontend generic getter git global grep
    handler harness hash header heap helper hex host html http icon identifier inherit init initialise initialize inline
    inline input instance integer interaction interface interpreter invariant invoke iterate iterator json kernel keyword
    lambda latency ledger lexer library linter linux lint listener literal locale localhost logger login logout lookup loop
    macro makefile malloc markdown merge metadata metric microphone migrate migration mock module mutate mutex namespace
    null offset opcode operand operator optimise optimize optional overflow overhead override package parameter parse parser
    patch payload pipeline pixel placeholder playback plugin pointer polling popup portable prefix preview primitive
    production profiler protocol prototype proxy pull push python query queue readme rebase recursion recursive redirect
    refactor reference regex registry regression release remote render repo repository request runtime rust sandbox scalar
    scheduler schema scope script sdk semantic semaphore serialize server setter setup shader shell shortcut sidebar
    singleton slider snapshot socket span speaker spec sprint sql stack startup static stderr stdin stdout storage stream
    string struct stub subclass subprocess subroutine suite swift symbol sync syntax tab template terminal test thread
    throttle timeout timer timestamp token tokenizer toolbar toolchain trace traverse tuple typo unicode uninstall unit
    unix unwrap upload upstream url username util utility validate validation variable vector verbose viewport virtual
    warning webhook whitespace widget wildcard workaround worker workflow workspace wrapper xml yaml zip
    """
}
