# A made-up shop that shows boots, sandals or sneakers to its visitors:
#
#   awk -f shop.awk > shop.csv                                      what it showed and sold last month
#   awk -v want=requests -f shop.awk > requests.jsonl               visitors of this month, for banditsim act
#   awk -v want=rewards -f shop.awk answers.jsonl > rewards.jsonl   what they bought, given the answers of act
#
# Boots sell in Germany, sandals in Spain, sneakers to the young; the device does not matter. The script has its own
# generator of random numbers, because those of awks differ.

function uniform(stream) { # Park and Miller's generator, exact in float64
  state[stream] = state[stream] * 16807 % 2147483647
  return state[stream] / 2147483647
}

function visitor(stream) { # sets age, country and device of the next visitor
  age = 18 + int(uniform(stream) * 50)
  country = substr("usdees", 1 + 2 * int(uniform(stream) * 3), 2)
  device = uniform(stream) < 0.7 ? "phone" : "laptop"
}

function bought(arm, stream) { # 1 if the visitor buys the arm that is shown, else 0
  return uniform(stream) < (arm == "sneakers" ? 0.60 - 0.01 * (age - 18) : chance[arm, country]) ? 1 : 0
}

BEGIN {
  FS = "\""
  state["log"] = 20260101
  state["visitors"] = 1234567891
  state["purchases"] = 987654321
  chance["boots", "us"] = 0.25; chance["boots", "de"] = 0.50; chance["boots", "es"] = 0.10
  chance["sandals", "us"] = 0.20; chance["sandals", "de"] = 0.10; chance["sandals", "es"] = 0.55
  if (want == "requests") requests()
  else if (want != "rewards") last_month()
  if (want != "rewards") exit
}

function requests(  i) {
  for (i = 1; i <= 5000; i++) {
    visitor("visitors")
    printf "{\"context\": {\"age\": %d, \"country\": \"%s\"}}\n", age, country
  }
}

function last_month(  i, u, arm) {
  print "time,age,country,device,arm,reward,propensity"
  for (i = 0; i < 5000; i++) {
    visitor("log")
    u = uniform("log")
    arm = u < 0.5 ? "sneakers" : u < 0.75 ? "boots" : "sandals"
    printf "2026-10-%02dT%02d:%02d:00Z,", 1 + int(i / 180), 8 + int(i % 180 / 15), i % 15 * 4
    printf "%d,%s,%s,%s,%d,%s\n", age, country, device, arm, bought(arm, "log"), arm == "sneakers" ? "0.5" : "0.25"
  }
}

{ # an answer, such as {"id":1,"arm":"boots","propensity":0.9667}
  visitor("visitors")
  split($3, id, /[:,]/)
  printf "{\"id\": %d, \"reward\": %d}\n", id[2], bought($6, "purchases")
}
