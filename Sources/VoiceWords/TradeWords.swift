package import VoiceLanguage

/// Words of the trade that a recogniser of everyday speech does not expect, and what it makes of them.
///
/// A line is a word as it is written, or several; behind a colon what is heard for it, which is then written so. What is
/// heard must be no English: it is replaced wherever it is said.
package enum TradeWords {
  /// Those that the program knows by itself.
  package static let all: [ExpectedWord] = WordsFile.words(in: text).words

  private static let text = """
    # What words are spelled with; "golf" is heard where nobody said it
    spell, spelled, alpha, bravo, charlie, delta, echo, foxtrot, hotel, india, juliet, kilo, lima, mike, november, oscar
    papa, quebec, romeo, sierra, tango, uniform, victor, whiskey, x-ray, yankee, zulu
    # Languages and what belongs to them
    Swift, Rust, Python, Java, Kotlin, Scala, Ruby, Perl, Haskell, Erlang, Elixir, Clojure, OCaml, Julia, Zig, Lua
    JavaScript, TypeScript, CoffeeScript, WebAssembly, Fortran, COBOL, Bash, PowerShell, Objective-C, PHP, SQL, CSS, HTML
    struct, enum, enums, structs, tuple, tuples, closure, lambda, async, await, mutex, mutexes, semaphore, coroutine
    goroutine, goroutines, iterator, initializer, deinitializer, constructor, destructor, setter, getter, accessor
    nullable, null, boolean, booleans, bool, integer, float, double, string, substring, void, vector, array
    arrays, hash, hashmap, dictionary, enumeration, generics, typealias, typedef, namespace, protocol, subclass, superclass
    singleton, decorator, docstring, polymorphism, immutable, mutable, overload, override, pointer, dereference, malloc
    heap, stack trace, backtrace, garbage collector, bitmask, bitwise, modulo, regex, regexes, Unicode, UTF-8, ASCII, UUID
    Codable, Sendable, OptionSet, SwiftUI, Xcode, Cargo, semver, lockfile, linter, formatter, parser, lexer, tokenizer
    compiler, interpreter, debugger, breakpoint, transpiler, bytecode, opcode, assembler, linker, runtime, serializer
    deserializer, serialize, deserialize, marshal, unmarshal, callback, callbacks, promise, observable, reducer, selector
    # Tools
    Git, GitHub, GitLab, Bitbucket, repo, repository, rebase, cherry-pick, stash, commit, diff, merge, upstream, submodule
    pull request, pull requests, merge request, changelog, README, Dockerfile, Docker, docker-compose, Makefile, CMake
    Gradle, Maven, Bazel, Webpack, Vite, Babel, ESLint, Prettier, npm, yarn, pip, venv, virtualenv, pytest, unittest, Jest
    Cypress, Playwright, Selenium, Jenkins, Ansible, Terraform, Helm, kubectl, Kubernetes, namespace, pod, pods, ingress
    nginx, Apache, systemd, daemon, cron, crontab, curl, wget, grep, sed, awk, ssh, SSH, rsync, tmux, vim, Emacs
    clang, LLVM, GCC, gdb, lldb, valgrind, strace, perf, epoll, libc, glibc, stdin, stdout, stderr, sudo, chmod, env
    Linux, Ubuntu, Debian, macOS, iOS, Android, Windows, POSIX, VS Code, IntelliJ, Jupyter, notebook, kernel
    # Data and services
    Redis, Postgres, PostgreSQL, MySQL, SQLite, MongoDB, MariaDB, Cassandra, Elasticsearch, Kafka, RabbitMQ, Memcached
    GraphQL, gRPC, API, APIs, SDK, CLI, GUI, URL, URLs, URI, HTTP, HTTPS, TCP, UDP, TLS, SSL, DNS, MQTT, CORS
    WebSocket, WebSockets, webhook, webhooks, endpoint, endpoints, OAuth, JWT, cookie, cookies, bcrypt, S3, AWS, Azure
    JSON, YAML, XML, CSV, TOML, Markdown, protobuf, schema, migration, query, queries, cache, caches, cached, caching
    cursor, index, foreign key, primary key, transaction, rollback, shard, replica, ORM, CRUD, cron job, timestamp, epoch
    load balancer, proxy, firewall, latency, throughput, Prometheus, Grafana, metrics, telemetry, OpenTelemetry, CI
    artifact, artifacts, feature flag, canary, staging, localhost, hostname, subnet, middleware, microservice
    # Frameworks
    Django, Flask, FastAPI, Rails, Laravel, React, Angular, Svelte, Next.js, Node.js, jQuery
    Tailwind, Bootstrap, Redux, NumPy, pandas, DataFrame, PyTorch, TensorFlow, Keras, SciPy, scikit-learn, Matplotlib
    viewport, debounce, onClick, flexbox, tooltip, dropdown, checkbox, popup, modal, navbar, sidebar
    # The rest
    refactor, refactoring, refactored, subprocess, multithreading, multithreaded, thread, threads, thread pool, deadlock
    race condition, polling, debounce, throttle, retry, backoff, timeout, timeouts, stub, stubs, mock, mocks, fixture
    boilerplate, tech debt, monorepo, codebase, plugin, plugins, config, params, args, kwargs, init, deinit, tarball
    checksum, hexadecimal, base64, newline, backslash, backtick, whitespace, underscore, camel case, snake case
    overflow, underflow, off by one, segfault, null pointer, memory leak, header, headers, payload, token, tokens
    RAM, CPU, GPU, ARM, WebGL, OpenGL, Vulkan, FFmpeg, uint8, uint32, int64, float32, handshake, buffer, channel
    # What is heard for some of them
    nginx: engine x, engine ex, engine axe, engine aches, engine eggs
    NumPy: num pie, num pi, numb pie, numb pi, numpie
    regex: rej ex, reg ex, redjex, reggex
    enum: e num, ee num, enumm, eanum
    enums: e nums, ee nums
    tuple: tupple, toople
    mutex: mew tex, mute ex, mewtex, mu tex
    async: a sink, ay sink, a sync, async, asink, aysink
    kubectl: cube control, kube control, cube cuddle, cube c t l, kube c t l, koob control
    Kubernetes: cooper netties, koober netties, coober netties, kuber netties, cubernetes, kubernetis, cooper nettys
    Redis: redis, reddis, red iss, rediss
    PostgreSQL: post gress q l, postgres q l, post gres q l, postgress q l, post gray sequel, postgre sequel
    Postgres: post gress, post gres, postgress, post grass, postgrass
    SQLite: s q lite, sequel lite, sequel light, s q light, s cue lite, s cue light
    MySQL: my sequel, my s q l
    SQL: s q l, s cue l
    JSON: jay son, jayson, jaysawn, j son
    YAML: yammel, yamel, yamal, yaml, yammel
    TOML: tommel, tomal
    XML: x m l
    CSV: c s v
    CSS: c s s
    HTML: h t m l
    HTTP: h t t p
    HTTPS: h t t p s
    URL: u r l
    UUID: u u i d, you you id, you u i d
    API: a p i
    SDK: s d k
    CLI: c l i
    TLS: t l s
    SSH: s s h
    DNS: d n s
    JWT: j w t
    ORM: o r m
    MQTT: m q t t
    gRPC: g r p c, gee r p c
    GraphQL: graph q l, graph cue l, graph queue l
    OAuth: oh auth, o auth
    npm: n p m
    ESLint: e s lint, yes lint, es lint
    LLVM: l l v m
    UTF-8: u t f eight, u t f 8, utf eight, utf 8
    uint8: you int eight, u int eight, u int 8, you int 8, uint eight
    S3: s three, s 3, es three
    pytest: pie test, pi test, py test
    PyTorch: pie torch, pi torch
    pip: pipp
    Dockerfile: docker file, dock her file
    Makefile: make file
    CMake: see make, c make, sea make
    stdout: standard out, std out, s t d out
    stderr: std err, s t d err
    stdin: std in, s t d in
    libc: lib c, lib see, lib sea
    glibc: g lib c, glib c
    systemd: system d, system dee
    epoll: e poll, ee poll, e pol, e pole
    bcrypt: b crypt, be crypt, bee crypt
    clang: klang, see lang
    malloc: mal lock, mallock, mal loc, mallok
    valgrind: val grind, val grinned, valgrinned, vowel grind
    Terraform: terra form, tear a form
    Django: jango, jang go, d jango
    Jupyter: jupyter, jew pitter
    Svelte: svelt, zvelt
    Vite: veet
    Gradle: graydle, gradel, grade l, gray dle
    Maven: mayven
    Kotlin: cotlin, cottlin, kotlin, cot lin
    Xcode: x code, ex code
    MongoDB: mongo d b, mongo db
    Elasticsearch: elastic search
    FastAPI: fast a p i
    WebSocket: web socket
    WebSockets: web sockets
    webhook: web hook
    WebAssembly: web assembly
    TypeScript: type script
    JavaScript: java script
    GitHub: git hub, get hub
    GitLab: git lab, get lab
    DataFrame: data frame
    Codable: code able, codeable
    Sendable: send able
    docstring: doc string, dock string
    lockfile: lock file
    semver: sem ver, sem vur
    goroutines: go routines
    goroutine: go routine
    coroutine: co routine, core routine
    viewport: view port
    namespace: name space
    subprocess: sub process
    timestamp: time stamp
    bitmask: bit mask
    backtick: back tick
    segfault: seg fault
    kwargs: k w args
    env: e n v
    CORS: cors
    iOS: i o s, eye o s
    macOS: mac o s
    Node.js: node js, node j s, node dot js
    Next.js: next js, next j s, next dot js
    VS Code: v s code
    Lua: loo ah, lou ah
    cherry-pick: cherry pick
    int64: int sixty four
    """
}
