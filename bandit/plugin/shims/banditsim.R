# A policy for banditsim. Change the functions of policy(); what follows it speaks the protocol (docs/protocol.md).
#
#   banditsim plugin verify -- Rscript mine.R
#   banditsim run --environment linear --policies Mine,LinUCB,Uniform --plugin 'Mine=Rscript mine.R'

# Epsilon-greedy over a running mean per arm, which ignores contexts. Arms count from 0, as in the protocol. R's own
# random numbers are seeded already.
policy <- function(arms, dim, options) {
  epsilon <- if (is.null(options$epsilon)) 0.1 else options$epsilon
  pulls <- numeric(arms)
  means <- numeric(arms)
  list(
    act = function(context) {
      if (runif(1) < epsilon) return(sample.int(arms, 1) - 1)
      which.max(means) - 1
    },
    learn = function(context, arm, reward) {
      pulls[arm + 1] <<- pulls[arm + 1] + 1
      means[arm + 1] <<- means[arm + 1] + (reward - means[arm + 1]) / pulls[arm + 1]
    }
  )
}

# The list may have besides: end(round), and save() -> raw vector with restore(raw), without which an interrupted trial is
# played again. Functions act(context, features) and learn(context, arm, reward, features) are given the features of the
# arms, a row for each arm, where arms have some.

# parse returns a JSON text as lists and vectors.
parse <- function(text) {
  chars <- utf8ToInt(text)
  at <- 1
  blank <- function() while (chars[at] %in% c(32, 9, 10, 13)) at <<- at + 1
  value <- function() {
    blank()
    first <- intToUtf8(chars[at])
    if (first == "{") return(members("}", TRUE))
    if (first == "[") return(members("]", FALSE))
    if (first == "\"") return(string())
    from <- at
    while (at <= length(chars) && !(chars[at] %in% c(44, 93, 125, 32, 10))) at <<- at + 1
    word <- intToUtf8(chars[from:(at - 1)])
    switch(word, "true" = TRUE, "false" = FALSE, "null" = NULL, as.numeric(word))
  }
  members <- function(end, named) {
    all <- list()
    at <<- at + 1
    repeat {
      blank()
      if (intToUtf8(chars[at]) == end) break
      if (chars[at] == 44) { at <<- at + 1; blank() }
      if (named) {
        key <- string()
        blank()
        at <<- at + 1 # the colon
        all[[key]] <- value()
      } else {
        all[[length(all) + 1]] <- value()
      }
    }
    at <<- at + 1
    if (!named && length(all) > 0 && all(vapply(all, is.numeric, TRUE))) unlist(all) else all
  }
  string <- function() {
    out <- integer(0)
    at <<- at + 1
    while (chars[at] != 34) {
      if (chars[at] == 92) {
        at <<- at + 1
        mark <- intToUtf8(chars[at])
        if (mark == "u") {
          out <- c(out, strtoi(intToUtf8(chars[at + 1:4]), 16L))
          at <<- at + 4
        } else {
          out <- c(out, switch(mark, n = 10L, t = 9L, r = 13L, b = 8L, f = 12L, chars[at]))
        }
      } else {
        out <- c(out, chars[at])
      }
      at <<- at + 1
    }
    at <<- at + 1
    intToUtf8(out)
  }
  value()
}

base64 <- c(LETTERS, letters, 0:9, "+", "/")

encode <- function(bytes) {
  bits <- as.integer(unlist(lapply(bytes, function(b) rev(as.integer(rawToBits(b))))))
  bits <- c(bits, integer(-length(bits) %% 6))
  six <- colSums(matrix(bits, 6) * 2^(5:0))
  paste0(paste(base64[six + 1], collapse = ""), strrep("=", -length(six) %% 4))
}

decode <- function(text) {
  six <- match(strsplit(gsub("=", "", text), "")[[1]], base64) - 1
  bits <- unlist(lapply(six, function(v) as.integer(intToBits(v))[6:1]))
  n <- length(bits) %/% 8
  as.raw(colSums(matrix(bits[seq_len(8 * n)], 8) * 2^(7:0)))
}

# serve answers until bye. What the program prints goes to stderr.
serve <- function(policy) {
  input <- file("stdin", "rb")
  output <- file("/dev/stdout", "wb")
  sink(stderr())
  number <- 0
  send <- function(...) {
    writeLines(paste0("{\"id\":", number, ..., "}"), output)
    flush(output)
  }
  quoted <- function(text) paste0("\"", gsub("[[:cntrl:]]", " ", gsub("([\"\\\\])", "\\\\\\1", text)), "\"")
  truth <- function(is) if (is) "true" else "false"
  p <- NULL
  dim <- arms <- arm_dim <- 0
  featured <- FALSE # a policy that does not take features of arms works where arms have some
  answer <- function(m) {
    n <- length(m$pulls)
    if (is.numeric(m$frame) && m$frame > 0) {
      numbers <- readBin(input, "double", m$frame / 8, size = 8, endian = "little")
      contexts <- matrix(numbers[seq_len(n * dim)], n, byrow = TRUE)
      features <- function(i) matrix(numbers[n * dim + (i - 1) * arms * arm_dim + seq_len(arms * arm_dim)], arms, byrow = TRUE)
    }
    switch(m$type,
      hello = {
        set.seed(m$seed)
        arms <<- length(m$names)
        dim <<- m$dim
        arm_dim <<- m$arm_dim
        p <<- policy(arms, dim, m$options)
        featured <<- arm_dim > 0 && length(formals(p$act)) > 1
        send(",\"type\":\"ready\",\"protocol\":1,\"role\":\"policy\",\"frame\":true,\"batch\":true,\"save\":",
          truth(!is.null(p$save)), ",\"end\":", truth(!is.null(p$end)))
      },
      act = {
        chosen <- vapply(seq_len(n), function(i) {
          as.numeric(if (featured) p$act(contexts[i, ], features(i)) else p$act(contexts[i, ]))
        }, 0)
        send(",\"arms\":[", paste(chosen, collapse = ","), "]")
      },
      learn = for (i in seq_len(n)) {
        if (featured) p$learn(contexts[i, ], m$arms[i], m$rewards[i], features(i)) else p$learn(contexts[i, ], m$arms[i], m$rewards[i])
      },
      end = {
        if (!is.null(p$end)) p$end(m$round)
        send()
      },
      save = send(",\"state\":\"", encode(p$save()), "\""),
      restore = {
        p$restore(decode(m$state))
        send()
      },
      bye = quit(status = 0)
    )
  }
  repeat {
    line <- readLines(input, 1, warn = FALSE)
    if (length(line) == 0) quit(status = 0) # the parent has ended
    m <- parse(line)
    number <- m$id
    tryCatch(answer(m), error = function(e) {
      send(",\"error\":", quoted(conditionMessage(e)))
      quit(status = 1)
    })
  }
}

serve(policy)
